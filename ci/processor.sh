#!/usr/bin/env bash
# Prints the processor: its name, and its family, model and stepping, because the name of a virtual processor
# may be that of several models.
LC_ALL=C awk -F ': ' '
    /^(model name|cpu family|model|stepping)/ { sub(/\t*$/, "", $1); if (!($1 in value)) value[$1] = $2 }
    END { if ("model name" in value) print value["model name"] " " value["cpu family"] "." value["model"] "." value["stepping"] }
' /proc/cpuinfo 2>/dev/null | grep . || uname -m
