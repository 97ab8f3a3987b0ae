#!/bin/sh
# Checks the form of a commit message.
#
#   check-message.sh [-s WIDTH] [-b WIDTH] [-c CHAR] [-m] [FILE]
#
#   FILE   the message; standard input when it is missing or `-`
#   -s N   longest subject, in characters (default 72)
#   -b N   longest body line, in characters (default 72)
#   -c C   first character of comment lines (default #, as core.commentChar)
#   -m     do not guess whether the subject is in the imperative mood
#   -h     this help
#
# Prints one finding on each line, as `FILE:LINE: problem`, to standard output. The mood is
# guessed from the ending of the first word; -m turns that off.
#
# Exit status: 0 nothing found, 1 findings, 2 it could not run.
#
# As a hook: copy it to .git/hooks/check-message.sh and let .git/hooks/commit-msg be
#
#   #!/bin/sh
#   exec sh "$(dirname "$0")/check-message.sh" "$1"

# Bytes, not characters, on every system: `length` below counts characters by itself.
LC_ALL=C
export LC_ALL

max_subject=72
max_body=72
comment='#'
guess_mood=yes

usage() {
    echo 'usage: check-message.sh [-s WIDTH] [-b WIDTH] [-c CHAR] [-m] [FILE]'
}

fail() {
    printf 'check-message.sh: %s\n' "$1" >&2
    exit 2
}

while getopts s:b:c:mh option; do
    case $option in
        s) max_subject=$OPTARG ;;
        b) max_body=$OPTARG ;;
        c) comment=$OPTARG ;;
        m) guess_mood=no ;;
        h) sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))

for width in "$max_subject" "$max_body"; do
    case $width in
        '' | *[!0-9]*) fail "a width is a number, not '$width'" ;;
    esac
done
case $comment in
    ?) ;;
    *) fail "-c takes one character, not '$comment'" ;;
esac
[ $# -le 1 ] || { usage >&2; exit 2; }

file=${1:--}
if [ "$file" = - ]; then
    name='(stdin)'
else
    name=$file
    [ -f "$file" ] && [ -r "$file" ] || fail "cannot read the file '$file'"
    exec <"$file" || exit 2
fi

# Characters in $1: a UTF-8 character has one byte that is not a continuation byte.
length() {
    printf '%s' "$1" | tr -d '\200-\277' | wc -c | tr -d ' \t'
}

# True when $1 has more than $2 characters. Most lines are decided by their bytes alone.
longer_than() {
    [ "${#1}" -gt "$2" ] && [ "$(length "$1")" -gt "$2" ]
}

findings=0
report() {
    findings=$((findings + 1))
    printf '%s:%s: %s\n' "$name" "$1" "$2"
}

# Guesses from the first word of the subject, whose line is $1 and whose text is $2.
check_mood() {
    text=$2
    # A conventional prefix is not a word of the sentence: `fix(parser)!: ` or `parser: `.
    head=${text%%: *}
    if [ "$head" != "$text" ]; then
        case $head in
            *' '*) ;;
            *) text=${text#*: } ;;
        esac
    fi
    first=${text%%[ ,;:]*}
    case $first in
        *[!A-Z]*) ;;
        *) return ;; # an abbreviation: DNS, TLS
    esac
    lower=$(printf '%s' "$first" | tr '[:upper:]' '[:lower:]')
    case $lower in
        # Not verbs in another form, although they end like them.
        embed | exceed | feed | need | proceed | seed | shed | shred | speed | succeed | wed | weed) ;;
        bring | cling | ping | ring | sing | spring | string | swing | thing) ;;
        alias | bias | bypass | canvas | focus | chorus | gas | plus | thus | this | its | is | os) ;;
        *ss | *us) ;;
        *[!a-z]* | ?? | ?) ;;
        *ed | *ing | *s)
            report "$1" "subject begins with '$first': say what the commit does when applied, in the imperative ('add', not 'added', 'adds' or 'adding')"
            ;;
    esac
}

check_subject() {
    case $2 in
        # Written by git itself.
        'Merge branch '* | 'Merge tag '* | 'Merge commit '* | 'Merge remote-tracking '*) return ;;
        'Merge pull request '* | 'Revert "'* | 'Reapply "'* | fixup!* | squash!* | amend!*) return ;;
    esac
    if longer_than "$2" "$max_subject"; then
        report "$1" "subject has $(length "$2") characters, at most $max_subject"
    fi
    case $2 in
        *.) report "$1" 'subject ends with a period' ;;
    esac
    if [ "$guess_mood" = yes ]; then
        check_mood "$1" "$2"
    fi
}

check_body_line() {
    # Text that must not be wrapped: quoted, indented, tables, trailers, and what has no blank to
    # break at, such as a URL (a list mark before it does not count).
    case $2 in
        '>'* | '    '* | '	'* | '|'*) return ;;
        [A-Z]*-[Bb]y:\ * | Fixes:\ * | Closes:\ * | Link:\ * | See:\ * | Refs:\ * | Change-Id:\ *) return ;;
    esac
    rest=$2
    case $rest in
        '- '* | '* '*) rest=${rest#??} ;;
        '['*']: '*) rest=${rest#*: } ;;
    esac
    case $rest in
        *' '*) ;;
        *) return ;;
    esac
    if longer_than "$2" "$max_body"; then
        report "$1" "line has $(length "$2") characters, at most $max_body"
    fi
}

cr=$(printf '\r')
number=0
subject_seen=no # no, just (the last line was it), yes
fenced=no
while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    line=${line%"$cr"}
    # A blank line is one of blanks only; git removes blanks at the end of lines.
    while :; do
        case $line in
            *' ' | *'	') line=${line%?} ;;
            *) break ;;
        esac
    done

    case $line in
        "$comment"' ------------------------ >8 ------------------------'*) break ;;
        "$comment"*) continue ;;
    esac

    case $subject_seen in
        no)
            [ -n "$line" ] || continue
            check_subject "$number" "$line"
            subject_seen=just
            ;;
        just)
            if [ -n "$line" ]; then
                report "$number" 'second line is not blank: git would join it to the subject'
                check_body_line "$number" "$line"
            fi
            subject_seen=yes
            ;;
        yes)
            case $line in
                '```'*)
                    if [ "$fenced" = yes ]; then fenced=no; else fenced=yes; fi
                    continue
                    ;;
            esac
            [ "$fenced" = yes ] || check_body_line "$number" "$line"
            ;;
    esac
done

if [ "$subject_seen" = no ]; then
    report "$((number > 0 ? number : 1))" 'message is empty'
fi

[ "$findings" -eq 0 ]
