"""The peak memory of this process."""

from pathlib import Path

STATUS = Path("/proc/self/status")


def peak_memory_mb() -> float:
    """Return the peak resident size in MB, including interpreter and libraries.

    On Linux from the process's own high-water mark, because getrusage returns at least the parent's peak there.
    """
    if STATUS.exists():
        [line] = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    import resource  # Windows has none

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)  # macOS counts bytes
