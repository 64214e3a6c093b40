import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { describe, expect, it } from 'vitest';
import type { Session } from './session.ts';
import { fileNameOf, listingOf, requestOf, toastText } from './wire.ts';

const session: Session = {
  uid: 5,
  token: 'secret',
  is_admin: false,
  agent_level: 1,
  agent_id: 9,
  permissions: null,
  view_hide_pkg: false,
  agent_logo: null,
  agent_name: 'x',
  nickname: '',
  role_name: '',
  agent_mode: 1,
  agent_child_enable: true,
};

describe('a request', () => {
  it('puts a list call into the query, without empty values', () => {
    const { url, init } = requestOf(
      vnoCalls.list,
      { page: 1, limit: 10, orderby: undefined, filters: { name: '海', code: '', device_count: '', cond_device_count: 'gt' } },
      'zh',
      null,
    );
    expect(decodeURIComponent(url)).toBe('/agt/v1/agent?page=1&limit=10&name=海&lang=zh');
    expect(init).toEqual({ method: 'GET', headers: {} });
  });
  it('sends the identity of a logged-in operator', () => {
    const { url, init } = requestOf(logCalls.read, { id: 3 }, 'en', session);
    expect(url).toBe('/agt/v1/syslog/3?lang=en&uid=5&agent_id=9');
    expect(init.headers).toEqual({ authorization: 'secret' });
  });
  it('puts a write into a JSON body, with emptied values as null and the id in the path', () => {
    const { url, init } = requestOf(vnoCalls.update, { id: 4, version: 2, name: 'x', email: null }, 'zh', null);
    expect(url).toBe('/agt/v1/agent/4');
    expect(JSON.parse(String(init.body))).toEqual({ version: 2, name: 'x', email: null, lang: 'zh' });
  });
  it('becomes multipart when a file is sent', () => {
    const { init } = requestOf(vnoCalls.create, { name: 'x', logo: new Blob(['1']) }, 'zh', null);
    expect(init.body).toBeInstanceOf(FormData);
    expect(init.headers).toEqual({});
  });
});

describe('a response', () => {
  it('is shown as msg with the detail, msg or text of its data', () => {
    expect(toastText('no', { detail: 'because' })).toBe('no, because');
    expect(toastText('no', { msg: 'thus' })).toBe('no, thus');
    expect(toastText('no', 'text')).toBe('no, text');
    expect(toastText('no', { fields: {} })).toBe('no');
    expect(toastText('no', null)).toBe('no');
  });
  it('is read as a list, empty for null and without invalid rows', () => {
    expect(listingOf(null)).toEqual({ total: 0, list: [] });
    expect(listingOf({ total: 2, capped: true, list: [{ id: 1 }, { id: 'x' }] })).toEqual({ total: 2, capped: true, list: [{ id: 1 }] });
  });
  it('carries the sums of a list as text', () => {
    expect(listingOf({ total: 0, list: [], sums: { amount: '12.50' } }).sums).toEqual({ amount: '12.50' });
    expect(listingOf({ total: 0, list: [] }).sums).toBeUndefined();
    expect(listingOf({ total: 9, list: [], sums_on_request: true }).sums_on_request).toBe(true);
  });
  it('contains the name of a file, also in Chinese', () => {
    const named = (value: string) => fileNameOf({ headers: new Headers({ 'content-disposition': value }) });
    expect(named('attachment; filename="log.csv"')).toBe('log.csv');
    expect(named("attachment; filename=x.csv; filename*=UTF-8''%E6%97%A5%E5%BF%97.csv")).toBe('日志.csv');
  });
});
