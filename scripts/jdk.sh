# Finds JDK 25; sourced by the launcher and by check. Sets `jdk` to its home, or says what is missing and exits with 1.
#
# $POSTROAD_JDK when it is set: it was asked for, so nothing else will do. Otherwise, in this order: $JAVA_HOME, the `java`
# on the PATH, and the folders where systems and version managers keep JDKs. What counts is the `release` file that every
# JDK has, so that nothing needs to be started.

is_jdk_25() {
    [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
    while IFS= read -r line; do
        case $line in
            'JAVA_VERSION="25"'* | 'JAVA_VERSION="25.'* | 'JAVA_VERSION="25-'*) return 0 ;;
            JAVA_VERSION=*) return 1 ;;
        esac
    done <"$1/release"
    return 1
}

find_jdk_25() {
    jdk=${POSTROAD_JDK:-}
    if [ -n "$jdk" ]; then
        is_jdk_25 "$jdk"
        return
    fi
    jdk=${JAVA_HOME:-}
    [ -n "$jdk" ] && is_jdk_25 "$jdk" && return 0
    if on_path=$(command -v java) && on_path=$(readlink -f "$on_path" 2>/dev/null); then
        jdk=${on_path%/bin/java}
        is_jdk_25 "$jdk" && return 0
    fi
    find_in_usual_folders
}

find_in_usual_folders() {
    for jdk in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/*jdk* /opt/java/* /usr/local/*jdk* \
        "${HOME:-/}"/.sdkman/candidates/java/* "${HOME:-/}"/.jdks/* "${HOME:-/}"/.asdf/installs/java/* \
        "${HOME:-/}"/.local/share/mise/installs/java/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-/}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
        /opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home \
        /usr/local/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home; do
        is_jdk_25 "$jdk" && return 0
    done
    return 1
}

require_jdk_25() {
    find_jdk_25 && return 0
    if [ -n "${POSTROAD_JDK:-}" ]; then
        echo "postroad: \$POSTROAD_JDK is $POSTROAD_JDK, which is no JDK 25." >&2
        echo "  Set it to the folder of one (with bin/javac in it), or unset it to have one searched for." >&2
        exit 1
    fi
    echo "postroad: no JDK 25 found." >&2
    echo "  Install one (for example Eclipse Temurin 25, or your system's openjdk-25-jdk package)," >&2
    echo "  or set POSTROAD_JDK to the folder of one that is installed." >&2
    exit 1
}

require_maven() {
    command -v mvn >/dev/null 2>&1 && return 0
    echo "postroad: Maven (mvn 3.8 or newer) is not installed, and the program has to be built first." >&2
    echo "  Install it from your system's packages, for example: apt install maven, dnf install maven, brew install maven." >&2
    exit 1
}
