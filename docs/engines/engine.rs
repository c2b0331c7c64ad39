// An engine that gives each byte of a text as its id, as `tokaudit.engine/1` asks: rustc engine.rs
use std::io::{stdin, BufRead};
use std::str::Chars;

const HELLO: &str = r#"{"protocol": "tokaudit.engine/1", "name": "bytes", "version": "1", "can": ["batch"]}"#;

/// A string of JSON, after its first quote.
fn string(rest: &mut Chars) -> String {
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
    String::from_utf16_lossy(&units)
}

fn main() {
    for line in stdin().lock().lines().map_while(Result::ok) {
        if line.starts_with(r#"{"op": "hello""#) {
            println!("{HELLO}");
        } else if line.starts_with(r#"{"op": "encode""#) {
            let (mut rest, mut inside, mut ids) = (line.chars(), false, vec![]);
            while let Some(one) = rest.next() {
                match one {
                    '"' if inside => ids.push(format!("{:?}", string(&mut rest).as_bytes())),
                    '"' => drop(string(&mut rest)),
                    '[' => inside = true, // what is in brackets are the texts
                    ']' => inside = false,
                    _ => (),
                }
            }
            println!(r#"{{"ids": [{}]}}"#, ids.join(", "));
        } else {
            println!(r#"{{"error": "unknown op"}}"#);
        }
    }
}
