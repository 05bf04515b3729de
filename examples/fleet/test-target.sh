#!/bin/sh
# Tests the target with the number JOB_COMPLETION_INDEX in the list, counted from 0. Kubernetes sets
# the variable in an Indexed Job. The report is in reports/<name of the target file>.
set -eu
index=${JOB_COMPLETION_INDEX:?the number of the target in targets.txt, from 0}
target=$(sed -n "$((index + 1))p" targets.txt)
[ -n "$target" ] || { echo "targets.txt has no line for index $index" >&2; exit 64; }
report=reports/$(basename "$target" .yaml)

# An earlier attempt of this index may have left a part of its report.
rm -rf "$report"
mkdir -p "$report"

# A run that is cancelled by the timeout has 30 seconds to delete what it has created.
status=0
timeout -k 30 "${FLEET_TIMEOUT:-600}" npx touchstone test --target "$target" --report "$report" \
  ${FLEET_ARGUMENTS:-} > "$report/output.txt" 2>&1 || status=$?
echo "$status" > "$report/exit.txt"
cat "$report/output.txt"

# The comparison reports failures of servers. Only a job without a result is repeated.
[ "$status" -le 3 ]
