package check

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// SARIF returns what was found in launches as a log of SARIF 2.1.0, which editors and code hosts
// show at the lines. The rules are gokkos/race and so on. A result is at the line of the later
// access, and the earlier one is its related location.
func SARIF(found ...*Error) ([]byte, error) {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver.Name = "gokkos"
	run.Tool.Driver.URI = "https://github.com/gokkos/gokkos"
	for _, err := range []error{ErrRace, ErrUninitialised, ErrResult, ErrAccumulator, ErrScan, ErrHost, ErrSide, ErrMirror, ErrMemory, ErrLaw} {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{"gokkos/" + Finding{Err: err}.kind(), sarifText{err.Error()}})
	}
	for _, e := range found {
		for _, f := range e.Findings {
			r := sarifResult{Rule: "gokkos/" + f.kind(), Level: "error", Message: sarifText{fmt.Sprintf("%s: %v", e.Launch, f)}}
			if f.Now.File != "" {
				r.Locations = []sarifLocation{locationOf(f.Now, nil)}
			}
			if f.Before.File != "" {
				r.Related = []sarifLocation{locationOf(f.Before, &sarifText{f.Before.String()})}
			}
			run.Results = append(run.Results, r)
		}
	}
	return json.MarshalIndent(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	}, "", "  ")
}

func locationOf(a Access, message *sarifText) sarifLocation {
	l := sarifLocation{Message: message}
	l.Physical.Artifact.URI = filepath.ToSlash(a.File)
	l.Physical.Region.Line = a.Line
	return l
}

// The parts of a log that are used here.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver struct {
				Name  string      `json:"name"`
				URI   string      `json:"informationUri"`
				Rules []sarifRule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifRule struct {
		ID          string    `json:"id"`
		Description sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule      string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		Message  *sarifText `json:"message,omitempty"`
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				Line int `json:"startLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
)
