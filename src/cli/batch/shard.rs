//! A part of the work. Which pages belong to it follows from their names alone, so the parts can be read independently.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Part `index` of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Shard {
    /// Which part.
    pub index: u32,
    /// Of how many.
    pub count: u32,
}

/// A part as a file names it, which may be one that there cannot be.
#[derive(Deserialize)]
struct Unchecked {
    index: u32,
    count: u32,
}

impl TryFrom<Unchecked> for Shard {
    type Error = &'static str;

    fn try_from(Unchecked { index, count }: Unchecked) -> Result<Shard, Self::Error> {
        Shard::new(index, count).ok_or("there is no such part")
    }
}

impl Shard {
    /// Part `index` of `count`; `None` unless the index is from 1 to the count.
    fn new(index: u32, count: u32) -> Option<Shard> {
        (1..=count).contains(&index).then_some(Shard { index, count })
    }

    /// Whether a page belongs to this part. Files without pages are page 0. The hash depends on these two only, so it is
    /// the same on every machine and in every version.
    pub fn has(self, path: &str, page: u32) -> bool {
        let digest = Sha256::new().chain_update(path).chain_update([0]).chain_update(page.to_string()).finalize();
        let first = digest.first_chunk().expect("a digest has 32 bytes");
        u64::from_be_bytes(*first) % u64::from(self.count) == u64::from(self.index - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let part = text.split_once('/').and_then(|(index, count)| Shard::new(index.parse().ok()?, count.parse().ok()?));
        part.ok_or_else(|| "a part is given as I/N, from 1/N to N/N".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_of_one_part() {
        let mut sizes = [0; 7];
        for page in 0..700 {
            let owners: Vec<u32> = (1..=7).filter(|&index| Shard { index, count: 7 }.has("a.pdf", page)).collect();
            assert_eq!(owners.len(), 1, "page {page}");
            sizes[owners[0] as usize - 1] += 1;
        }
        assert!(sizes.iter().all(|size| (60..150).contains(size)), "{sizes:?}");
    }

    /// Shards that were read by another version must still fit together.
    #[test]
    fn the_hash_stays() {
        let owner = |path, page| (1..=1000).find(|&index| Shard { index, count: 1000 }.has(path, page));
        assert_eq!([owner("a.pdf", 1), owner("a.pdf", 2), owner("b.png", 0)], [Some(622), Some(675), Some(150)]);
    }

    #[test]
    fn parts_are_parsed() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, count: 3 }));
        for wrong in ["0/3", "4/3", "1", "1/", "/2", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_that_cannot_be_are_refused_in_files() {
        let parse = |index, count| serde_json::from_str(&format!(r#"{{"index":{index},"count":{count}}}"#));
        assert_eq!(parse(2, 3).ok(), Some(Shard { index: 2, count: 3 }));
        for (index, count) in [(0, 3), (4, 3), (0, 0)] {
            assert!(parse(index, count).is_err(), "{index}/{count}");
        }
    }
}
