#!/bin/sh
# SPDX-License-Identifier: MIT
# What make does on a machine where packages are missing: the program alone is refused, with their names and with what installs them,
# and nothing is installed; what shows and tests it asks for them. MAKE_PROGRAM is make. Of Debian's commands there are false ones.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
rows=0
mkdir "$folder/bin"

# All that is asked for is there but what stands in $folder/missing.
cat >"$folder/bin/dpkg-query" <<'END'
#!/bin/sh
for p; do
    case "$p" in -*) continue ;; esac
    grep -qx -e "$p" "$MAKE_TEST/missing" || echo "ii =$p"
done
END
# It installs nothing, so that nothing is built.
printf '#!/bin/sh\necho "$@" >>"$MAKE_TEST/asked"\nexit 1\n' >"$folder/bin/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$folder/bin/sudo"
chmod +x "$folder"/bin/*

# expect TARGET STATUS ASKED WORDS...: so make ends; apt-get is asked for that, for nothing where ASKED is empty; each of the words is said.
expect()
{
    target=$1 wanted=$2 wanted_of_apt=$3
    shift 3
    rows=$((rows + 1))
    : >"$folder/asked"
    status=0
    said=$(env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS MAKE_TEST="$folder" PATH="$folder/bin:$PATH" \
        "${MAKE_PROGRAM:-make}" --no-print-directory DESTDIR="$folder/installed" $target 2>&1 </dev/null) || status=$?
    asked=$(cat "$folder/asked")
    wrong=
    [ "$status" = "$wanted" ] || wrong="status $status"
    case "$wanted_of_apt,$asked" in
    ,) ;;
    ,*) wrong="$wrong, apt-get was asked" ;;
    *) case "$asked" in *"$wanted_of_apt"*) ;; *) wrong="$wrong, apt-get was not asked for $wanted_of_apt" ;; esac ;;
    esac
    for words; do
        case "$said" in *"$words"*) ;; *) wrong="$wrong, not said: $words" ;; esac
    done
    [ ! -e "$folder/installed" ] || wrong="$wrong, something was installed"
    [ -z "$wrong" ] && return 0
    echo "FAIL make $target: $wrong; apt-get: '$asked'; it said: $said"
    failed=$((failed + 1))
}

printf '%s\n' libpng-dev libespeak-ng-dev clang-format valgrind >"$folder/missing"
for target in "" all install; do
    expect "$target" 2 "" "missing: libpng-dev libespeak-ng-dev" "apt-get install --no-install-recommends libpng-dev libespeak-ng-dev" \
        "make deps"
done
expect packages 2 "" "missing: libpng-dev libespeak-ng-dev"
for target in deps demo demo-files test accuracy bench damage soak torture samples test-pages test-camera memcheck; do
    expect "$target" 2 "update" "installing: libpng-dev libespeak-ng-dev" "could not install"
done
expect check-deps 2 "update" "installing: clang-format" "could not install"

# Where nothing is missing nothing is asked for.
echo valgrind >"$folder/missing"
expect packages 0 ""
expect deps 0 ""

[ $failed = 0 ] || { echo "$failed of $rows wrong"; exit 1; }
echo "make: $rows calls on a machine with and without its packages"
