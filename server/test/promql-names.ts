const keywords = new Set([
  'and',
  'or',
  'unless',
  'bool',
  'offset',
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'inf',
  'nan',
]);

/** Metrics and labels of a PromQL query. Enough for the queries of deploy/; promtool checks the syntax. */
export const promqlNames = (query: string) => {
  const names = new Set<string>();
  const labels = new Set<string>();
  const add = (pattern: RegExp, text: string) => {
    for (const [label] of text.matchAll(pattern)) labels.add(label);
    return ' ';
  };
  const rest = query
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, list: string) => add(/\w+/g, list))
    .replace(/\{([^}]*)\}/g, (_, list: string) => add(/[a-z_]\w*(?=\s*[=!])/gi, list))
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\boffset\s+\w+/g, ' ')
    .replace(/\b[a-z_]\w*(?=\s*\()/gi, ' ');
  for (const [name] of rest.matchAll(/(?<![\w.])[a-z_:][\w:]*/gi)) if (!keywords.has(name.toLowerCase())) names.add(name);
  return { names, labels };
};
