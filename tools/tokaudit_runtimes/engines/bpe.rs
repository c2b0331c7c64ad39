// A byte-level engine as one writes it in Rust, by hand-written loops; started with a table and the
// name of a fault. It composes nothing: its texts come composed.
use std::collections::HashMap;
use std::env::args;
use std::fs::read_to_string;
use std::io::{stdin, BufRead};

type Bytes = Vec<u8>;

struct Engine {
    fault: String,
    lower: bool,
    ids: HashMap<Bytes, u32>,
    values: HashMap<u32, Bytes>,
    ranks: HashMap<(Bytes, Bytes), usize>,
    added: Vec<(String, u32)>,
    letters: Vec<(u32, u32)>,
    digits: Vec<(u32, u32)>,
}

fn in_ranges(ranges: &[(u32, u32)], one: char) -> bool {
    let at = ranges.partition_point(|range| range.1 < one as u32);
    ranges.get(at).is_some_and(|range| range.0 <= one as u32)
}

fn bytes(hex: &str) -> Bytes {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

impl Engine {
    fn has(&self, fault: &str) -> bool { self.fault == fault }

    fn white(&self, one: char) -> bool {
        if self.has("white space of ASCII") { one.is_ascii_whitespace() } else { one.is_whitespace() }
    }

    fn digit(&self, one: char) -> bool {
        if self.has("digits of ASCII") { one.is_ascii_digit() } else { in_ranges(&self.digits, one) }
    }

    fn letter(&self, one: char) -> bool {
        if self.has("letters are what is alphabetic") { return one.is_alphabetic() && !one.is_numeric() }
        in_ranges(&self.letters, one)
    }

    fn line_end(&self, one: char) -> bool {
        one == '\n' || one == '\r' && !self.has("a carriage return ends no line")
    }

    /// Where the piece ends that begins at a place.
    fn end(&self, text: &[char], start: usize) -> usize {
        let at = |place: usize| text.get(place).copied();
        let run = |mut place: usize, of: &dyn Fn(char) -> bool| {
            while at(place).is_some_and(|one| of(one)) { place += 1 }
            place
        };
        let first = text[start];
        if first == '\'' {
            for end in ["s", "t", "re", "ve", "m", "ll", "d"] {
                let same = end.chars().enumerate().all(|(i, letter)| {
                    at(start + 1 + i).is_some_and(|one| one.to_ascii_lowercase() == letter || one == 'ſ' && letter == 's')
                });
                if same { return start + 1 + end.len() }
            }
        }
        let before = usize::from(!self.letter(first) && !self.digit(first) && first != '\r' && first != '\n');
        let end = run(start + before, &|one| self.letter(one));
        if end > start + before { return end }
        if self.digit(first) {
            let end = run(start, &|one| self.digit(one));
            let size = if self.has("digits are grouped from the right") { (end - start - 1) % 3 + 1 } else { 3 };
            return end.min(start + size);
        }
        let ink = |one: char| !self.white(one) && !self.letter(one) && !self.digit(one);
        let from = start + usize::from(first == ' ');
        let end = run(from, &ink);
        if end > from { return run(end, &|one| self.line_end(one)) }
        let end = run(start, &|one| self.white(one));
        if let Some(last) = (start..end).rev().find(|place| self.line_end(text[*place])) { return last + 1 }
        let left = !self.has("only a plain space is left to a word") || text[end - 1] == ' ';
        if end < text.len() && end > start + 1 && left { end - 1 } else { end }
    }

    fn merged(&self, piece: &[u8], ids: &mut Vec<u32>) {
        let mut parts: Vec<Bytes> = piece.iter().map(|one| vec![*one]).collect();
        loop {
            let ranked = parts.windows(2).enumerate().filter_map(|(at, pair)| {
                self.ranks.get(&(pair[0].clone(), pair[1].clone())).map(|rank| (*rank, at))
            });
            let Some((_, at)) = ranked.min() else { break };
            let right = parts.remove(at + 1);
            parts[at].extend(right);
        }
        ids.extend(parts.iter().map(|part| self.ids[part]));
    }

    fn plain(&self, text: &str, ids: &mut Vec<u32>) {
        let mut text: Vec<char> = text.chars().collect();
        if self.has("joiners are dropped") { text.retain(|one| !matches!(one, '\u{200c}' | '\u{200d}')) }
        if self.lower {
            let ascii = self.has("lower case of ASCII");
            text = text.iter().flat_map(|one| {
                if ascii { vec![one.to_ascii_lowercase()] } else { one.to_lowercase().collect() }
            }).collect();
        }
        let mut start = 0;
        while start < text.len() {
            let end = self.end(&text, start);
            let piece: String = text[start..end].iter().collect();
            let size = if self.has("pieces are cut every 256 bytes") { 256 } else { usize::MAX };
            for part in piece.as_bytes().chunks(size) { self.merged(part, ids) }
            start = end;
        }
    }

    fn encode(&self, text: &str, special: bool, add: bool) -> Vec<u32> {
        let id = |word: &str| self.added.iter().find(|one| one.0 == word).unwrap().1;
        let mut ids = if add { vec![id("<bos>")] } else { vec![] };
        let (mut rest, mut plain) = (text, String::new());
        while !rest.is_empty() {
            match self.added.iter().find(|one| special && rest.starts_with(&one.0)) {
                Some((word, id)) => {
                    self.plain(&plain, &mut ids);
                    plain.clear();
                    ids.push(*id);
                    rest = &rest[word.len()..];
                }
                None => {
                    let one = rest.chars().next().unwrap();
                    plain.push(one);
                    rest = &rest[one.len_utf8()..];
                }
            }
        }
        self.plain(&plain, &mut ids);
        if add { ids.push(id("<eos>")) }
        ids
    }

    fn decode(&self, ids: &[u32]) -> String {
        let parts: Vec<&Bytes> = ids.iter().map(|id| &self.values[id]).collect();
        if self.has("each token is decoded by itself") {
            return parts.iter().map(|part| String::from_utf8_lossy(part).to_string()).collect();
        }
        String::from_utf8_lossy(&parts.into_iter().flatten().copied().collect::<Bytes>()).to_string()
    }
}

/// The texts in a line of JSON: the strings that are in brackets.
fn texts(line: &str) -> Vec<String> {
    let (mut rest, mut inside, mut found) = (line.chars(), false, vec![]);
    while let Some(one) = rest.next() {
        match one {
            '[' => inside = true,
            ']' => inside = false,
            '"' => {
                let mut units: Vec<u16> = vec![];
                while let Some(one) = rest.next().filter(|one| *one != '"') {
                    match if one == '\\' { rest.next() } else { None } {
                        Some('n') => units.push(10),
                        Some('r') => units.push(13),
                        Some('t') => units.push(9),
                        Some('b') => units.push(8),
                        Some('f') => units.push(12),
                        Some('u') => units.push(u16::from_str_radix(&rest.by_ref().take(4).collect::<String>(), 16).unwrap()),
                        plain => units.extend(plain.unwrap_or(one).encode_utf16(&mut [0; 2]).iter()),
                    }
                }
                if inside { found.push(String::from_utf16_lossy(&units)) }
            }
            _ => (),
        }
    }
    found
}

fn quoted(text: &str) -> String {
    let units = text.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
    format!("\"{}\"", units.collect::<String>())
}

fn main() {
    let given: Vec<String> = args().collect();
    let mut engine = Engine {
        fault: given[3].clone(), lower: given[2] == "uncased",
        ids: HashMap::new(), values: HashMap::new(), ranks: HashMap::new(), added: vec![], letters: vec![], digits: vec![],
    };
    for row in read_to_string(&given[1]).unwrap().lines() {
        let words: Vec<&str> = row.split(' ').collect();
        if words[0] == "merge" {
            let rank = engine.ranks.len();
            engine.ranks.insert((bytes(words[1]), bytes(words[2])), rank);
            continue;
        }
        if words[0] == "letters" || words[0] == "digits" {
            let range = (words[1].parse().unwrap(), words[2].parse().unwrap());
            if words[0] == "letters" { engine.letters.push(range) } else { engine.digits.push(range) }
            continue;
        }
        let (value, id) = (bytes(words[1]), words[2].parse().unwrap());
        engine.values.insert(id, value.clone());
        if words[0] == "added" { engine.added.push((String::from_utf8(value).unwrap(), id)) } else { engine.ids.insert(value, id); }
    }
    engine.added.sort_by_key(|one| usize::MAX - one.0.len());
    for line in stdin().lock().lines().map_while(Result::ok) {
        if line.starts_with(r#"{"op": "hello""#) {
            println!(r#"{{"protocol": "tokaudit.engine/1", "name": "bpe.rs", "version": "1", "can": ["special", "adds", "decode", "batch"]}}"#);
        } else if line.starts_with(r#"{"op": "encode""#) {
            let (special, add) = (line.contains(r#""special": true"#), line.contains(r#""add": true"#));
            let ids: Vec<String> = texts(&line).iter().map(|text| format!("{:?}", engine.encode(text, special, add))).collect();
            println!(r#"{{"ids": [{}]}}"#, ids.join(", "));
        } else {
            let rows = line[line.find("[[").unwrap() + 2..line.rfind("]]").unwrap()].split("], [");
            let texts: Vec<String> = rows.map(|row| quoted(&engine.decode(&row.split(", ").filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()))).collect();
            println!(r#"{{"texts": [{}]}}"#, texts.join(", "));
        }
    }
}
