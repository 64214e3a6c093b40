import { describe, expect, it } from 'vitest';
import { endpoints } from './endpoints.ts';
import { errors } from './errors.ts';
import { maxOf } from './kit/check.ts';
import { isWrite, operateKey } from './kit/endpoint.ts';
import type { Field } from './kit/field.ts';
import type { Head, Page } from './kit/page.ts';
import { parametersOf } from './kit/parameters.ts';
import { filterFields } from './kit/resource.ts';
import type { Text } from './kit/text.ts';
import { groups, heads } from './menu.ts';
import { pages } from './pages.ts';

/** Every text in a definition, at any depth. */
const textsIn = (value: unknown, found: Text[] = [], seen = new Set<unknown>()): Text[] => {
  if (typeof value !== 'object' || value === null || seen.has(value)) return found;
  seen.add(value);
  if (Array.isArray(value)) {
    const [zh, en] = value;
    if (value.length === 2 && typeof zh === 'string' && typeof en === 'string' && /[\u4e00-\u9fa5]/.test(zh)) found.push([zh, en]);
  }
  for (const property of Object.values(value)) textsIn(property, found, seen);
  return found;
};

/** Every field of a page that has an option list. */
const lookups = (page: Page) =>
  [page.resource?.fields ?? {}, ...Object.values(page.forms).map((form) => form.fields)]
    .flatMap((fields) => Object.values(fields).flatMap((field) => [field, ...Object.values(field.items ?? {})]))
    .flatMap((field) => [field.lookup, field.suggest, field.echo?.lookup].flatMap((path) => (path === undefined ? [] : [{ field, path }])));

describe('the contract', () => {
  it('declares each method and path only once', () => {
    const names = endpoints.map((e) => `${e.method} ${e.path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has unique page keys, routes, permissions and group keys', () => {
    for (const name of ['key', 'route', 'permission'] as const) expect(new Set(heads.map((h) => h[name])).size).toBe(heads.length);
    expect(new Set(groups.map((g) => g.key)).size).toBe(groups.length);
  });

  it('has a page with the same head for each menu entry', () => {
    for (const head of heads) expect(pages.find((p) => p.key === head.key)).toMatchObject(head);
  });

  it('loads options from a declared GET call, with the parameters that the call accepts', () => {
    for (const page of pages)
      for (const { field, path } of lookups(page)) {
        const call = endpoints.find((e) => e.method === 'GET' && e.path === path);
        expect(call, `${page.key} ${path}`).toBeDefined();
        const takes = Object.keys(call?.input ?? {});
        const params = [...(field.lookupBy ?? []), ...Object.keys(field.lookupParams ?? {})];
        expect(takes, `${page.key} ${path}`).toEqual(expect.arrayContaining(params));
        // In a call with the parameter subject, the subject decides whether the ids of rows filter the options.
        const known = [...Object.keys(page.listParams ?? {}), ...(takes.includes('subject') ? [] : ['ids'])];
        expect(params, `${page.key} ${path}`).toEqual(expect.arrayContaining(takes.filter((name) => known.includes(name))));
      }
  });

  it('lists and exports a page by calls that have all its parameters', () => {
    for (const { key, list, resource, listParams, actions } of pages) {
      const exports = Object.values(actions).flatMap(({ on, call }) => (on === 'toolbar' && call?.kind === 'export' ? [call] : []));
      const sent = [...Object.keys(listParams ?? {}), ...Object.keys(resource ? filterFields(resource) : {})];
      for (const call of [...(list?.kind === 'list' ? [list] : []), ...exports])
        expect([...parametersOf(call)], `${key} ${call.path}`).toEqual(expect.arrayContaining(sent));
      for (const { call, params = {} } of Object.values(actions))
        if (call?.kind === 'list')
          expect([...parametersOf(call), 'id'], `${key} ${call.path}`).toEqual(expect.arrayContaining(Object.keys(params)));
    }
  });

  it('offers no masked column for sorting, because the order would reveal its values', () => {
    for (const { path, resource } of endpoints)
      for (const [name, field] of Object.entries(resource?.fields ?? {})) expect(field.mask && field.sort, `${path} ${name}`).toBeFalsy();
  });

  it('names kbps in the label of each speed limit that is typed, and in no column, whose values have units', () => {
    const unit = /kbps|KB\/s/;
    const typed = pages.flatMap(({ forms }) => Object.values(forms).flatMap((form) => Object.values(form.fields)));
    const limits = typed.filter(({ kind, readonly }) => kind === 'speed' && !readonly);
    expect(limits.length).toBeGreaterThan(5);
    for (const { label } of limits) expect(label).toEqual([expect.stringMatching(/（kbps）$/), expect.stringMatching(/ \(kbps\)$/)]);
    const columns = [...pages, ...endpoints].flatMap(({ resource: r }) => (r ? r.columns.map((name) => r.fields[name]?.label ?? []) : []));
    for (const [zh = '', en = ''] of columns) expect(`${zh} ${en}`).not.toMatch(unit);
  });

  it('lists only declared write calls in the needs of a page', () => {
    const keys = new Set(endpoints.filter(isWrite).map(operateKey));
    for (const { key, needs = [] } of heads as readonly Head[]) for (const need of needs) expect(keys, key).toContain(need);
  });

  it('has a page for each permission that a call requires', () => {
    const known = new Set(pages.map((p) => p.permission));
    for (const e of endpoints)
      if (Array.isArray(e.access)) for (const key of e.access) expect(known, `${e.method} ${e.path}`).toContain(key);
  });

  it('declares the call of each action and list, and permits it to the page', () => {
    const declared = new Set(endpoints.map((e) => `${e.method} ${e.path}`));
    for (const page of pages)
      for (const call of [page.list, ...Object.values(page.actions).map((a) => a.call)]) {
        if (!call) continue;
        expect(declared).toContain(`${call.method} ${call.path}`);
        if (Array.isArray(call.access)) expect(call.access, `${page.key} ${operateKey(call)}`).toContain(page.permission);
      }
  });

  it('has the form that an action refers to', () => {
    for (const page of pages)
      for (const [key, action] of Object.entries(page.actions))
        if (action.form) expect(Object.keys(page.forms), `${page.key}.${key}`).toContain(action.form);
  });

  it('has each text in Chinese and in English', () => {
    const texts = textsIn([groups, endpoints, errors]);
    expect(texts.length).toBeGreaterThan(300);
    for (const [zh, en] of texts) {
      expect(zh.trim()).not.toBe('');
      expect(en.trim(), zh).not.toBe('');
      expect(en, zh).not.toMatch(/[\u4e00-\u9fa5]/);
    }
  });

  it('names each row by visible columns, with the device or VNO if rows of several can have the same name', () => {
    const resources = new Set([...pages.map((p) => p.resource), ...endpoints.map((e) => e.resource)].filter((r) => r !== undefined));
    expect(resources.size).toBeGreaterThan(80);
    for (const { title, fields, columns } of resources) {
      const [name] = title;
      const field = fields[name];
      expect(columns, name).toEqual(expect.arrayContaining([...title]));
      expect(['text', 'link', 'choice', 'int', 'time'], name).toContain(field?.kind);
      expect(field?.hiddenByDefault, `${name} of ${columns}`).not.toBe(true);
      if (columns.some((column) => column !== name && ['device_name', 'agent_name'].includes(column)))
        expect(title.length, `${columns}`).toBeGreaterThan(1);
    }
  });

  it('gives each error a unique code', () => {
    const codes = Object.values(errors).map((e) => e.code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('limits the length of each text input', () => {
    const bounded = (f: Field) => !['text', 'long', 'link'].includes(f.kind) || maxOf(f) !== undefined;
    for (const e of endpoints)
      for (const [name, field] of Object.entries(e.input ?? {})) expect(bounded(field), `${e.path} ${name}`).toBe(true);
  });
});
