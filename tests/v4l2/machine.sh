#!/bin/sh
# SPDX-License-Identifier: MIT
# machine.sh KEPT SECONDS COMMAND...: runs it, in this folder, on a machine that has a camera.
#
# The machine is Debian's kernel under qemu's emulation, and the camera the kernel's own test driver, vivid, as /dev/video0. It
# sees every file that is seen here, at the same place; what it writes is lost. KEPT is a folder in which the kernel stays for
# the next time. CAMERA, in the environment, is what vivid is told besides (multiplanar=2). What COMMAND prints and its status are handed through; 125: the machine failed, 124: not done in time.
set -eu
kept=$1
seconds=$2
shift 2
mkdir -p "$kept"
kept=$(realpath "$kept")

# The kernel as Debian packs it, of which the machine takes what carries its files and its camera.
if [ ! -e "$kept/whole" ]; then
    rm -rf "$kept/kernel" "$kept/ram"
    mkdir -p "$kept/kernel"
    name=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image-/ { print $2; exit }')
    (cd "$kept/kernel" && apt-get -qq download "$name" 2>&1 | sed '/unsandboxed/d' && dpkg -x ./*.deb . && rm ./*.deb)
    version=$(basename "$kept"/kernel/boot/vmlinuz-*)
    version=${version#vmlinuz-}
    depmod -b "$kept/kernel" "$version"
    mkdir -p "$kept/ram/bin" "$kept/ram/modules" "$kept/ram/dev" "$kept/ram/proc" "$kept/ram/sys" "$kept/ram/host" \
        "$kept/ram/own" "$kept/ram/root"
    cp /bin/busybox "$kept/ram/bin/"
    for module in virtio_pci 9pnet_virtio 9p overlay vivid; do
        modprobe -d "$kept/kernel" -S "$version" --show-depends "$module"
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$kept/modules"
    while read -r file; do
        cp "$file" "$kept/ram/modules/"
        basename "$file"
    done <"$kept/modules" >"$kept/ram/modules/order"
    cp "$kept/kernel/boot/vmlinuz-$version" "$kept/vmlinuz"
    cat >"$kept/ram/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
while read -r module; do
    case $module in
    # shellcheck disable=SC2046 # words of a command
    vivid*) insmod "/modules/$module" n_devs=1 node_types=1 num_inputs=1 input_types=0 vid_cap_nr=0 \
        $(sed 's/.*camera=\([^ ]*\).*/\1/' /proc/cmdline) ;;
    *) insmod "/modules/$module" ;;
    esac
done </modules/order
how=trans=virtio,version=9p2000.L,access=any,msize=512000
mount -t 9p -o "ro,cache=loose,$how" host /host
mount -t tmpfs -o size=75% own /own
mkdir /own/upper /own/work
mount -t overlay -o lowerdir=/host,upperdir=/own/upper,workdir=/own/work root /root
for folder in proc sys dev; do mount --move "/$folder" "/root/$folder"; done
mkdir -p /root/dev/shm /root/run/job
mount -t tmpfs shm /root/dev/shm
mount -t 9p -o "cache=none,$how" job /root/run/job
chroot /root /bin/sh /run/job/command </root/dev/null >/root/run/job/out 2>/root/run/job/err
echo $? >/root/run/job/status
sync
reboot -f
INIT
    chmod +x "$kept/ram/init"
    (cd "$kept/ram" && find . | busybox cpio -o -H newc 2>/dev/null) | gzip -1 >"$kept/ram.gz"
    rm -rf "$kept/kernel" "$kept/ram"
    touch "$kept/whole"
fi

job=$(mktemp -d)
trap 'rm -rf "$job"' EXIT
trap 'exit 130' INT TERM HUP
{
    export -p
    printf 'export PATH="$PATH:/usr/sbin:/sbin"\ncd "%s" || exit 125\n' "$PWD"
    printf 'exec'
    for word in "$@"; do printf " '%s'" "$(printf %s "$word" | sed "s/'/'\\\\''/g")"; done
    echo
} >"$job/command"
late=0
timeout -k 5 "$seconds" qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -M q35 -cpu max -m 1024 \
    -smp 2 -accel tcg,thread=multi -kernel "$kept/vmlinuz" -initrd "$kept/ram.gz" -serial "file:$job/console" \
    -append "console=ttyS0 loglevel=4 reboot=t panic=-1 mitigations=off tsc=reliable no_timer_check random.trust_cpu=on camera=${CAMERA:-multiplanar=1}" \
    -virtfs "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap" \
    -virtfs "local,path=$job,mount_tag=job,security_model=none" </dev/null >"$job/qemu" 2>&1 || late=$?
[ ! -e "$job/out" ] || cat "$job/out"
[ ! -e "$job/err" ] || cat "$job/err" >&2
if [ -s "$job/status" ]; then
    exit "$(cat "$job/status")"
fi
if [ $late = 124 ] || [ $late = 137 ]; then
    echo "the machine was not done after $seconds s" >&2
    exit 124
fi
{
    echo "the machine failed:"
    cat "$job/qemu"
    tail -n 20 "$job/console"
} >&2
exit 125
