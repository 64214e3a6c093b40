/** Width in a terminal: Chinese characters take two columns. @param {string} text */
const widthOf = (text) => [...text].reduce((sum, char) => sum + (/[\u2e80-\u9fff\uff00-\uff60]/.test(char) ? 2 : 1), 0);

/**
 * A Markdown table with columns of equal width, as the formatter writes it. The first line has the titles.
 * @param {readonly (readonly string[])[]} lines
 */
export const markdownTable = (lines) => {
  const [titles = [], ...rows] = lines;
  const widths = titles.map((_, i) => Math.max(...lines.map((cells) => widthOf(cells[i] ?? ''))));
  /** @param {readonly string[]} cells */
  const line = (cells) => `| ${cells.map((text, i) => text + ' '.repeat((widths[i] ?? 0) - widthOf(text))).join(' | ')} |`;
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};
