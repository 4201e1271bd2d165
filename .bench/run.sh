#!/bin/bash
# interleaved: base, new, base, new, ... until the time is over
cd "$(dirname "$0")"
lscpu | grep -E 'Model name|^CPU\(s\)' > $OUT/cpu.txt
end=$((SECONDS + 530))
r=0
while [ $SECONDS -lt $end ] && [ $r -lt 10 ]; do
  for b in base new; do
    timeout 200 ./$b.test -test.run xxx -test.bench 'Launch|Item|Scan|ParallelFold|TeamOfOne|SimGPULane|SimGPUBarrier' -test.benchtime 20ms -test.cpu 1,8 >> $OUT/$b.txt 2>&1
  done
  r=$((r+1))
done
echo rounds $r >> $OUT/cpu.txt
