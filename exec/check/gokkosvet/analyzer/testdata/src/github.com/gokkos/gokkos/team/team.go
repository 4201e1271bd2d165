package team

type Group interface{ group() }

type Member struct{}

func (*Member) group()              {}
func (*Member) Barrier()            {}
func (*Member) Rank() int           { return 0 }
func (*Member) LeagueRank() int     { return 0 }
func (*Member) SubGroup() *SubGroup { return nil }

type SubGroup struct{}

func (*SubGroup) group()    {}
func (*SubGroup) Rank() int { return 0 }
func (*SubGroup) Barrier()  {}

func Single(g Group, f func())                {}
func AllReduce[T any](g Group, x T, op any) T { return x }
