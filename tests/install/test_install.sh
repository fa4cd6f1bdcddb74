#!/bin/sh
# Installs into an empty folder and uses what is there as a stranger would. Prints TAP.
#
# usage: test_install.sh SOURCE_ROOT BUILD_ROOT MESON COMPILER [SANITIZER]
set -u
source_root=$1 build_root=$2 meson=$3 compiler=$4 sanitizer=${5:-}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
destination=$folder/root
number=0
failed=0

# ok NAME COMMAND... : the command's output is shown when it fails
ok() {
    name=$1
    shift
    number=$((number + 1))
    if "$@" >"$folder/output" 2>&1; then
        echo "ok $number - $name"
    else
        failed=1
        echo "not ok $number - $name"
        sed 's/^/# /' "$folder/output"
    fi
}

# The one file of this name below the destination.
installed() {
    find "$destination" -name "$1" | head -n 1
}

has() {
    test -n "$(installed "$1")"
}

same_files() {
    (cd "$1" && find . -type f | sort) >"$folder/expected"
    (cd "$2" && find . -type f | sort) >"$folder/actual"
    test -s "$folder/expected" && diff "$folder/expected" "$folder/actual"
}

# The sanitizers' flags are those the library was built with.
compile() {
    # shellcheck disable=SC2046,SC2086
    "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror ${sanitizer:+-fsanitize=$sanitizer} \
        "$source_root/tests/install/peak.c" -o "$folder/peak" \
        $(pkg-config --cflags --libs actuary)
}

every_header_stands_alone() {
    for header in "$destination$include"/actuary/*.h; do
        printf '#include <actuary/%s>\nint main(void) { return 0; }\n' "$(basename "$header")" \
            >"$folder/header.c"
        # shellcheck disable=SC2046
        "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
            $(pkg-config --cflags actuary) "$folder/header.c" || return 1
    done
}

needs_libm_alone() {
    readelf -d "$(installed libactuary.so)" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' \
        >"$folder/needed"
    cat "$folder/needed"
    # The sanitizers' own libraries are not ours.
    ! grep -v -E '^(libm|libc|libasan|libubsan|ld-linux.*)\.so' "$folder/needed"
}

prints_a_peak() {
    LD_LIBRARY_PATH=$(dirname "$(installed libactuary.so)") "$folder/peak" >"$folder/peak.txt"
    cat "$folder/peak.txt"
    grep -q -E '^peak [1-9][0-9]*\.[0-9] GiB$' "$folder/peak.txt"
}

the_program_plans() {
    HOME=$folder XDG_CONFIG_HOME=$folder XDG_DATA_HOME=$folder \
        "$(find "$destination" -path "*/bin/actuary")" plan chapter-7 --format json
}

# Folders of headers and presets have the same name.
installed_program() {
    test -x "$(find "$destination" -path "*/bin/actuary" -type f)"
}

ok 'meson installs' "$meson" install -C "$build_root" --no-rebuild --destdir "$destination"

PKG_CONFIG_PATH=$(dirname "$(installed actuary.pc)")
PKG_CONFIG_SYSROOT_DIR=$destination
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS \
    PKG_CONFIG_ALLOW_SYSTEM_LIBS
include=$(pkg-config --variable=includedir actuary)
include=${include#"$destination"}

ok 'the program is there' installed_program
ok 'the library is there' has libactuary.so
ok 'actuary.pc is there' has actuary.pc
ok 'the man page is there' has actuary.1
ok 'all headers are there' same_files "$source_root/include/actuary" "$destination$include/actuary"
ok 'all presets are there' same_files "$source_root/presets" "$(dirname "$(installed models)")"
ok 'every header stands alone' every_header_stands_alone
ok 'a program compiles with what pkg-config says' compile
ok 'the library needs libm alone' needs_libm_alone
ok 'that program prints a peak' prints_a_peak
ok 'the installed program plans' the_program_plans
echo "1..$number"
exit "$failed"
