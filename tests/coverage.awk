# SPDX-License-Identifier: MIT
# coverage.awk: what `gcov --stdout --branch-counts --branch-probabilities` says of all sources, as a table of folders and files
# and a list of the lines that no test comes to, each range with the reason there is. REASONS: a file of lines "class | what
# 'FILE:TEXT' of the line holds (a regular expression)", the first that suits is taken. DEMANDS: "folder lines% branches%" each, with commas.
# Exits with 1 when a folder falls short.
#
# A branch counts when it is taken at least once; those by which an exception leaves are the compiler's own and are not counted.
BEGIN {
    while ((getline row < REASONS) > 0)
        if (row !~ /^#/ && (at = index(row, " | ")) > 0) {
            class[++classes] = substr(row, 1, at - 1)
            pattern[classes] = substr(row, at + 3)
        }
    demands = split(DEMANDS, demand, ",")
}

function percent(part, all) { return all ? 100 * part / all : 100 }

function reason_of(text,   i)
{
    for (i = 1; i <= classes; i++)
        if (text ~ pattern[i])
            return class[i]
    return ""
}

function end_range()
{
    if (from) {
        reason = range_reason == "" ? "not explained" : range_reason
        ranges[++range_count] = file ":" (from == to ? from : from "-" to) "  " reason
        in_class[reason] += to_lines
        if (range_reason == "")
            ranges[range_count] = ranges[range_count] ": " first_text
    }
    from = 0
}

/^ *-: +0:Source:/ {
    end_range()
    file = $0
    sub(/.*Source:/, "", file)
    folder = file
    sub(/\/.*/, "", folder)
    files[++file_count] = file
    folder_of[file] = folder
    next
}

/^branch/ {
    if (/\(throw\)/)
        next
    branches[file]++
    if (!/never executed/ && $4 + 0 > 0)
        taken[file]++
    next
}

/^ *[-0-9#=]+\*?: *[0-9]+:/ {
    count = $0
    sub(/:.*/, "", count)
    gsub(/[ *]/, "", count)
    rest = substr($0, index($0, ":") + 1)
    number = rest + 0
    text = substr(rest, index(rest, ":") + 1)
    if (count == "-")
        next
    lines[file]++
    if (count ~ /^[#=]/) {
        if (!from) {
            from = number
            first_text = text
            range_reason = ""
            to_lines = 0
        }
        to = number
        to_lines++
        if (range_reason == "")
            range_reason = reason_of(file ":" text)
    } else {
        covered[file]++
        end_range()
    }
}

END {
    end_range()
    printf "%-44s %16s %18s\n", "file", "lines", "branches"
    for (i = 1; i <= file_count; i++) {
        f = files[i]
        d = folder_of[f]
        all_lines[d] += lines[f]; all_covered[d] += covered[f]
        all_branches[d] += branches[f]; all_taken[d] += taken[f]
        printf "%-44s %5d/%-5d %4.0f%% %5d/%-5d %4.0f%%\n", f, covered[f], lines[f], percent(covered[f], lines[f]), taken[f], \
            branches[f], percent(taken[f], branches[f])
    }
    print "\nlines that no test comes to, and why"
    for (i = 1; i <= range_count; i++)
        print ranges[i]
    print "\nlines of each class"
    for (r in in_class)
        printf "%5d  %s\n", in_class[r], r
    print ""
    short = demands == 0
    for (i = 1; i <= demands; i++) {
        split(demand[i], want, " ")
        d = want[1]
        l = percent(all_covered[d], all_lines[d])
        b = percent(all_taken[d], all_branches[d])
        missed = !all_lines[d] || l < want[2] || b < want[3]
        printf "%-12s lines %5.1f %% of %d (at least %d), branches %5.1f %% of %d (at least %d)%s\n", d, l, all_lines[d], want[2], \
            b, all_branches[d], want[3], missed ? ": FALLS SHORT" : ""
        short += missed
    }
    exit short > 0
}
