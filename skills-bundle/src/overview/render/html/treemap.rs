//! A picture of shares: rectangles whose areas are in proportion, as SVG without a style of its own.
//!
//! Places are in per cent, so that letters keep their size in a narrow window. Rectangles are laid out in rows that
//! are as square as possible (Bruls, Huizing and van Wijk: Squarified Treemaps).

use std::fmt::Write as _;

use super::escape::Plain;

/// The size for which they are laid out.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 360.0;

/// How many colours there are.
const COLORS: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Rect {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// The picture of these shares: a label, the words behind it, and the size of each. Shares of nothing are left out.
pub(super) fn treemap(title: &str, shares: &[(&str, String, u64)]) -> String {
    let mut shares: Vec<&(&str, String, u64)> = shares.iter().filter(|(.., size)| *size > 0).collect();
    // Stable: equal sizes stay in their order.
    shares.sort_by_key(|(.., size)| std::cmp::Reverse(*size));
    let sizes: Vec<u64> = shares.iter().map(|(.., size)| *size).collect();
    let mut svg = format!("<svg role=\"img\" aria-label=\"{title}\">\n");
    for (at, ((label, words, _), rect)) in shares.iter().zip(layout(&sizes)).enumerate() {
        let Rect { x, y, width, height } = rect;
        // Writing into a string doesn't fail.
        let _ = write!(
            svg,
            "<svg x=\"{:.2}%\" y=\"{:.2}%\" width=\"{:.2}%\" height=\"{:.2}%\"><title>{}: {}</title>\
             <rect class=\"c{}\" width=\"100%\" height=\"100%\"/>",
            x / WIDTH * 100.0,
            y / HEIGHT * 100.0,
            width / WIDTH * 100.0,
            height / HEIGHT * 100.0,
            Plain(label),
            Plain(words),
            at % COLORS
        );
        if width > 60.0 && height > 24.0 {
            let _ = write!(svg, "<text x=\"6\" y=\"17\">{}</text>", Plain(label));
        }
        if width > 90.0 && height > 42.0 {
            let _ = write!(svg, "<text x=\"6\" y=\"34\" class=\"n\">{}</text>", Plain(words));
        }
        svg.push_str("</svg>\n");
    }
    svg + "</svg>\n"
}

/// A rectangle for each size, which are in falling order and above 0.
#[allow(clippy::cast_precision_loss, reason = "it is a picture")]
fn layout(sizes: &[u64]) -> Vec<Rect> {
    let total: f64 = sizes.iter().map(|size| *size as f64).sum();
    let scale = WIDTH * HEIGHT / total.max(1.0);
    let areas: Vec<f64> = sizes.iter().map(|size| *size as f64 * scale).collect();
    let mut free = Rect { x: 0.0, y: 0.0, width: WIDTH, height: HEIGHT };
    let mut rects = Vec::with_capacity(areas.len());
    let mut start = 0;
    while start < areas.len() {
        let side = free.width.min(free.height).max(f64::MIN_POSITIVE);
        let (mut end, mut sum) = (start + 1, areas[start]);
        while let Some(next) = areas.get(end) {
            let (now, then) = (
                worst(areas[start], areas[end - 1], sum, side),
                worst(areas[start], *next, sum + next, side),
            );
            if then > now {
                break;
            }
            sum += next;
            end += 1;
        }
        // Where nothing is free any more, shares are too small to be seen.
        let depth = (sum / side).min(free.width.max(free.height));
        let mut along = 0.0;
        for area in &areas[start..end] {
            let length = (area / depth.max(f64::MIN_POSITIVE)).min(side);
            rects.push(if free.width >= free.height {
                Rect { x: free.x, y: free.y + along, width: depth, height: length }
            } else {
                Rect { x: free.x + along, y: free.y, width: length, height: depth }
            });
            along += length;
        }
        if free.width >= free.height {
            free.x += depth;
            free.width = (free.width - depth).max(0.0);
        } else {
            free.y += depth;
            free.height = (free.height - depth).max(0.0);
        }
        start = end;
    }
    rects
}

/// How far from a square the worst rectangle of a row is.
fn worst(largest: f64, smallest: f64, sum: f64, side: f64) -> f64 {
    let (side, sum) = (side * side, sum * sum);
    (side * largest / sum).max(sum / (side * smallest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::cast_precision_loss, reason = "it is a picture")]
    fn areas_are_in_proportion_and_fill_the_picture() {
        for sizes in [&[6, 6, 4, 3, 2, 2, 1][..], &[1], &[u64::MAX, 1], &[5; 1_000], &[]] {
            let rects = layout(sizes);
            assert_eq!(rects.len(), sizes.len());
            let total: f64 = sizes.iter().map(|size| *size as f64).sum();
            for (rect, size) in rects.iter().zip(sizes) {
                let area = rect.width * rect.height;
                assert!((area - *size as f64 / total * WIDTH * HEIGHT).abs() < 0.01, "{sizes:?}: {rect:?}");
                let is_inside = rect.x + rect.width < WIDTH + 0.01 && rect.y + rect.height < HEIGHT + 0.01;
                assert!(is_inside, "{sizes:?}: {rect:?}");
            }
        }
    }

    #[test]
    fn shares_of_nothing_are_left_out() {
        let svg = treemap("Bytes", &[("<a>", "0 bytes".to_owned(), 0), ("<b>", "3 bytes".to_owned(), 3)]);
        assert!(svg.contains("&lt;b&gt;") && !svg.contains("&lt;a&gt;"), "{svg}");
    }
}
