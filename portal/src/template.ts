/**
 * Pages are templates with placeholders, so a gateway can fill them without the renderer:
 *
 * - `{{name}}` or `{{a.b}}`: the value, escaped.
 * - `{{#name}}…{{/name}}`: once if the value is true or not empty; once for each item of a list. Items see the values around them.
 * - `{{^name}}…{{/name}}`: if the value is missing, false or empty.
 */
export type Value = string | boolean | undefined | readonly Data[] | Data;
export type Data = { readonly [name: string]: Value };

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Braces too, so no text of an author or a subscriber becomes a placeholder.
  '{': '&#123;',
  '}': '&#125;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"'{}]/g, (char) => entities[char] ?? char);

type Scope = { readonly data: Data; readonly around?: Scope };
type Piece =
  | string
  | { readonly name: readonly string[] }
  | { readonly name: readonly string[]; readonly isNot: boolean; readonly pieces: readonly Piece[] };

const isData = (value: Value): value is Data => typeof value === 'object' && !Array.isArray(value);

const inside = (data: Data, path: readonly string[]): Value => {
  let value: Value = data;
  for (const name of path) value = isData(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
};

const findValue = (scope: Scope | undefined, path: readonly string[]): Value => {
  const [first] = path;
  for (let at = scope; at; at = at.around) if (first !== undefined && Object.hasOwn(at.data, first)) return inside(at.data, path);
  return undefined;
};

const isThere = (value: Value) => value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);

const write = (pieces: readonly Piece[], scope: Scope): string => {
  let out = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      out += piece;
      continue;
    }
    const value = findValue(scope, piece.name);
    if (!('pieces' in piece)) out += typeof value === 'string' ? escapeHtml(value) : '';
    else if (piece.isNot) out += isThere(value) ? '' : write(piece.pieces, scope);
    else if (Array.isArray(value)) for (const item of value) out += write(piece.pieces, { data: item, around: scope });
    else if (isThere(value)) out += write(piece.pieces, isData(value) ? { data: value, around: scope } : scope);
  }
  return out;
};

const placeholder = /\{\{([#^/]?)([a-z][\w.]*)\}\}/g;

const parse = (template: string): readonly Piece[] => {
  const open: { name: string; isNot: boolean; pieces: Piece[] }[] = [{ name: '', isNot: false, pieces: [] }];
  let from = 0;
  const top = () => {
    const last = open.at(-1);
    if (!last) throw new Error('template: a section is closed twice');
    return last;
  };
  for (const { 0: whole, 1: kind, 2: name = '', index } of template.matchAll(placeholder)) {
    if (index > from) top().pieces.push(template.slice(from, index));
    from = index + whole.length;
    if (kind === '') top().pieces.push({ name: name.split('.') });
    else if (kind !== '/') open.push({ name, isNot: kind === '^', pieces: [] });
    else {
      const closed = top();
      if (closed.name !== name) throw new Error(`template: {{/${name}}} closes {{#${closed.name}}}`);
      open.pop();
      top().pieces.push({ name: name.split('.'), isNot: closed.isNot, pieces: closed.pieces });
    }
  }
  if (open.length !== 1) throw new Error(`template: {{#${top().name}}} is not closed`);
  if (from < template.length) top().pieces.push(template.slice(from));
  return top().pieces;
};

/** Parses a template once; the result fills it with data. */
export const compile = (template: string): ((data: Data) => string) => {
  const pieces = parse(template);
  return (data) => write(pieces, { data });
};
