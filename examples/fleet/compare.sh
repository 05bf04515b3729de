#!/bin/sh
# Compares the reports of all targets, writes reports/comparison.html, and names targets without a report.
# Exits with 0 if every target is conformant, with 3 if a target has no report, otherwise with 1.
set -eu
set --
while read -r target; do
  set -- "$@" "reports/$(basename "$target" .yaml)"
done < targets.txt

npx touchstone compare "$@" --matrix reports/comparison.html

for report; do
  [ "$(cat "$report/exit.txt")" = 0 ] || exit 1
done
