//! The processor's caches, as Linux tells them.

use serde::{Deserialize, Serialize};

use super::text;

/// A cache of the processor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cache {
    /// 1 is the nearest to the core.
    pub level: u32,
    /// What it holds: `data`, `instruction` or `unified`.
    pub kind: String,
    /// Its size, in bytes.
    pub size_bytes: u64,
    /// How many logical cores share it.
    pub shared_by: Option<u32>,
}

/// More caches than any core has, so that counting them ends.
const MOST: u32 = 16;

/// Those that the first core uses, in the system's order, which is from the nearest on. Documented in Linux
/// under ABI/testing/sysfs-devices-system-cpu.
pub(super) fn of_first_core() -> Vec<Cache> {
    let caches = (0..MOST).map_while(|index| {
        let file = |name| text(&format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}"));
        let shared = file("shared_cpu_list");
        Some(Cache::parse(&file("level")?, &file("type")?, &file("size")?, shared.as_deref()))
    });
    caches.flatten().collect()
}

impl Cache {
    /// Of the texts of its files. `None` if one of them, but for who shares it, has another form.
    fn parse(level: &str, kind: &str, size: &str, shared_cpu_list: Option<&str>) -> Option<Self> {
        let kind = kind.to_ascii_lowercase();
        if !["data", "instruction", "unified"].contains(&kind.as_str()) {
            return None;
        }
        let size_bytes = size.strip_suffix('K')?.parse::<u64>().ok()?.checked_mul(1024)?;
        let shared_by = shared_cpu_list.and_then(length_of_list);
        Some(Cache { level: level.parse().ok()?, kind, size_bytes, shared_by })
    }
}

/// How many numbers a list such as `0-3,8,10-11` holds.
fn length_of_list(numbers: &str) -> Option<u32> {
    numbers.split(',').try_fold(0u32, |length, range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        length.checked_add(last.checked_sub(first)?.checked_add(1)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Linux 6.x tells them of an Intel Xeon with two threads per core.
    #[test]
    fn caches_are_read_as_linux_writes_them() {
        let cache = |level, kind: &str, size_kib: u64, shared_by| Cache {
            level,
            kind: kind.to_owned(),
            size_bytes: size_kib * 1024,
            shared_by: Some(shared_by),
        };
        assert_eq!(Cache::parse("1", "Data", "48K", Some("0,32")), Some(cache(1, "data", 48, 2)));
        assert_eq!(Cache::parse("1", "Instruction", "64K", Some("0")), Some(cache(1, "instruction", 64, 1)));
        assert_eq!(
            Cache::parse("3", "Unified", "516096K", Some("0-31,64-95")),
            Some(cache(3, "unified", 516_096, 64))
        );
    }

    #[test]
    fn who_shares_a_cache_may_be_unknown() {
        for list in [None, Some(""), Some("all"), Some("3-1"), Some("0-4294967295")] {
            let cache = Cache::parse("2", "Unified", "2048K", list).unwrap();
            assert_eq!((cache.size_bytes, cache.shared_by), (2 << 20, None), "{list:?}");
        }
    }

    #[test]
    fn a_cache_of_another_form_is_unknown() {
        let odd = [
            ("", "Data", "48K"),
            ("one", "Data", "48K"),
            ("1", "Trace", "48K"),
            ("1", "Data", "48"),
            ("1", "Data", "-48K"),
            ("1", "Data", "18446744073709551615K"),
        ];
        for (level, kind, size) in odd {
            assert_eq!(Cache::parse(level, kind, size, None), None, "{level} {kind} {size}");
        }
    }

    #[test]
    fn the_caches_of_this_machine_go_outwards() {
        let caches = of_first_core();
        assert!(caches.is_sorted_by_key(|cache| cache.level), "{caches:?}");
        assert!(caches.iter().all(|cache| cache.size_bytes > 0), "{caches:?}");
    }
}
