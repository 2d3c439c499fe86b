//! Text for a terminal of a given width, with or without colour.

use std::io::{IsTerminal as _, stdout};

use comfy_table::presets::NOTHING;
use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, Table};

/// How wide a report is written where nobody looks at it in a terminal: CI logs and files.
const WIDTH_ELSEWHERE: u16 = 120;

/// Narrower than this, no table can be read.
const LEAST_WIDTH: u16 = 40;

/// How text is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The columns of the terminal.
    pub width: u16,
    /// Whether what is wrong stands out in colour.
    pub colour: bool,
}

impl Style {
    /// What suits stdout: the terminal's width, and colour unless `NO_COLOR` is set (no-color.org). Elsewhere 120 columns
    /// without colour.
    #[must_use]
    pub fn of_stdout() -> Self {
        let wants_colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Style {
            width: Table::new().width().unwrap_or(WIDTH_ELSEWHERE).max(LEAST_WIDTH),
            colour: stdout().is_terminal() && wants_colour && !is_dumb,
        }
    }
}

/// How a piece of text stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Emphasis {
    /// Not at all.
    #[default]
    Plain,
    /// As a heading.
    Strong,
    /// As wrong.
    Bad,
}

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    pub(crate) text: String,
    pub(crate) emphasis: Emphasis,
}

impl Item {
    pub(crate) fn new(text: impl Into<String>, emphasis: Emphasis) -> Self {
        Item { text: text.into(), emphasis }
    }

    fn to_cell(&self) -> Cell {
        let cell = Cell::new(&self.text);
        match self.emphasis {
            Emphasis::Plain => cell,
            Emphasis::Strong => cell.add_attribute(Attribute::Bold),
            Emphasis::Bad => cell.fg(Color::Red).add_attribute(Attribute::Bold),
        }
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }
}

/// A table of labelled rows and columns of figures.
pub(crate) struct Matrix {
    /// What stands above the figures.
    pub(crate) columns: Vec<String>,
    /// Labels, each with a figure per column.
    pub(crate) rows: Vec<(Item, Vec<Item>)>,
}

/// Blanks between two columns.
const GAP: u16 = 2;

impl Matrix {
    /// The table; where it is too wide, as several of them, one below the other, each with the labels and some of the columns.
    pub(crate) fn render(&self, style: Style) -> String {
        let blocks = self.blocks(usize::from(style.width));
        blocks.iter().map(|columns| self.block(columns, style)).collect::<Vec<_>>().join("\n")
    }

    /// Whether it is one table.
    pub(crate) fn fits(&self, style: Style) -> bool {
        self.blocks(usize::from(style.width)).len() <= 1
    }

    /// Which columns stand together: as few blocks as possible, of about the same number of columns.
    fn blocks(&self, width: usize) -> Vec<Vec<usize>> {
        let label = self.rows.iter().map(|(label, _)| label.width()).max().unwrap_or_default();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| {
                let figures = self.rows.iter().filter_map(|(_, items)| items.get(column)).map(Item::width);
                figures.chain([self.columns[column].chars().count()]).max().unwrap_or_default()
                    + usize::from(GAP)
            })
            .collect();
        let fits = |columns: &[usize]| label + columns.iter().map(|c| widths[*c]).sum::<usize>() <= width;

        let mut greedy: Vec<Vec<usize>> = Vec::new();
        for column in 0..self.columns.len() {
            if let Some(block) = greedy.last_mut() {
                block.push(column);
                if fits(block) {
                    continue;
                }
                block.pop();
            }
            greedy.push(vec![column]);
        }
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let even: Vec<Vec<usize>> =
            all.chunks(all.len().div_ceil(greedy.len().max(1)).max(1)).map(<[usize]>::to_vec).collect();
        if even.iter().all(|block| fits(block)) { even } else { greedy }
    }

    fn block(&self, columns: &[usize], style: Style) -> String {
        let mut table = plain_table(style);
        let header =
            columns.iter().map(|column| Item::new(&self.columns[*column], Emphasis::Strong).to_cell());
        table.set_header([Cell::new("")].into_iter().chain(header));
        for (label, items) in &self.rows {
            let figures =
                columns.iter().map(|column| items.get(*column).map_or_else(|| Cell::new(""), Item::to_cell));
            table.add_row([label.to_cell()].into_iter().chain(figures));
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            if index == 0 {
                column.set_padding((0, 0));
            } else {
                column.set_padding((GAP, 0)).set_cell_alignment(CellAlignment::Right);
            }
        }
        finished(&table)
    }
}

/// A table of words, whose cells are broken into lines where it is too wide.
pub(crate) fn words(header: &[&str], rows: Vec<Vec<Item>>, style: Style) -> String {
    let mut table = plain_table(style);
    table.set_width(style.width).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header.iter().map(|name| Item::new(*name, Emphasis::Strong).to_cell()));
    for row in rows {
        table.add_row(row.iter().map(Item::to_cell));
    }
    let last = header.len().saturating_sub(1);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if index == last { 0 } else { GAP }));
    }
    finished(&table)
}

fn plain_table(style: Style) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if style.colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

/// The table's lines without blanks at their ends, each with its newline.
fn finished(table: &Table) -> String {
    table.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

/// A heading on a line of its own.
pub(crate) fn heading(text: &str, style: Style) -> String {
    format!("{}\n", emphasized(text, Emphasis::Strong, style))
}

/// Text that stands out, if there is colour.
pub(crate) fn emphasized(text: &str, emphasis: Emphasis, style: Style) -> String {
    let code = match emphasis {
        _ if !style.colour => return text.to_owned(),
        Emphasis::Plain => return text.to_owned(),
        Emphasis::Strong => "1",
        Emphasis::Bad => "1;31",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

/// A closing paragraph, whose first word is the verdict.
pub(crate) fn verdict(word: &str, emphasis: Emphasis, rest: &str, style: Style) -> String {
    // The codes of a colour take no room on a line, so that they come after the lines are broken.
    paragraph("", &format!("{word} {rest}"), style).replacen(word, &emphasized(word, emphasis, style), 1)
}

/// How many of a thing: `1 peer`, `2 peers`.
pub(crate) fn counted(count: impl TryInto<u64>, thing: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    let (noun, rest) = thing.split_once(' ').unwrap_or((thing, ""));
    let noun = if count == 1 { noun.to_owned() } else { format!("{noun}s") };
    format!("{count} {noun} {rest}").trim_end().to_owned()
}

/// Words in lines of the terminal's width: the first starts after `first`, the others are indented as far. A word that is
/// longer than a line, such as a path, stays whole.
pub(crate) fn paragraph(first: &str, text: &str, style: Style) -> String {
    let indent = first.chars().count();
    let mut lines = String::from(first);
    let mut used = indent;
    for (index, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if index > 0 && used + 1 + length > usize::from(style.width) {
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            used = indent;
        } else if index > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += length;
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(width: u16) -> Style {
        Style { width, colour: false }
    }

    fn matrix() -> Matrix {
        let item = |text: &str| Item::new(text, Emphasis::Plain);
        Matrix {
            columns: ["rustcrypto", "openssl", "aws-lc"].map(str::to_owned).to_vec(),
            rows: vec![
                (item("exchange"), ["+42", "+42", "+40 ·2"].map(item).to_vec()),
                (item("hostile"), ["-310", "-309 ✗1", "-310"].map(item).to_vec()),
            ],
        }
    }

    #[test]
    fn figures_stand_below_their_column() {
        let expected = "          rustcrypto  openssl  aws-lc\n\
                        exchange         +42      +42  +40 ·2\n\
                        hostile         -310  -309 ✗1    -310\n";
        assert_eq!(matrix().render(style(80)), expected);
    }

    #[test]
    fn a_table_that_is_too_wide_is_folded() {
        // One column in the second block would be enough: two and one it is, not less.
        let expected = "          rustcrypto  openssl\n\
                        exchange         +42      +42\n\
                        hostile         -310  -309 ✗1\n\
                        \n\
                        \x20         aws-lc\n\
                        exchange  +40 ·2\n\
                        hostile     -310\n";
        assert_eq!(matrix().render(style(30)), expected);
        // What fits nowhere is written all the same.
        assert_eq!(matrix().render(style(5)).matches("exchange").count(), 3);
        assert_eq!(Matrix { columns: Vec::new(), rows: Vec::new() }.render(style(80)), "");
    }

    #[test]
    fn colour_is_only_where_it_is_asked_for() {
        let mut matrix = matrix();
        matrix.rows[1].1[1].emphasis = Emphasis::Bad;
        assert!(!matrix.render(style(80)).contains('\u{1b}'));
        let coloured = matrix.render(Style { width: 80, colour: true });
        assert!(coloured.contains("\u{1b}[38;5;9m") || coloured.contains("\u{1b}[31m"), "{coloured:?}");
        assert_eq!(emphasized("x", Emphasis::Bad, style(80)), "x");
    }

    #[test]
    fn words_are_broken_at_blanks() {
        let expected = "peer: one two\n      three\n      /a/path/that/is/long\n";
        assert_eq!(paragraph("peer: ", "one two three /a/path/that/is/long", style(13)), expected);
        assert_eq!(paragraph("peer: ", "größe", style(11)), "peer: größe\n");
        assert_eq!(verdict("same:", Emphasis::Bad, "one two", style(9)), "same: one\ntwo\n");
        let colour = Style { width: 9, colour: true };
        assert_eq!(verdict("same:", Emphasis::Bad, "one", colour), "\u{1b}[1;31msame:\u{1b}[0m one\n");
    }

    #[test]
    fn things_are_counted() {
        assert_eq!(counted(1u64, "peer skipped"), "1 peer skipped");
        assert_eq!(counted(2usize, "peer skipped"), "2 peers skipped");
        assert_eq!(counted(0u64, "case"), "0 cases");
    }
}
