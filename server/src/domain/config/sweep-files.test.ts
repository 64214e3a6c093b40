import { createHash } from 'node:crypto';
import { configCalls as calls } from '@farlink/contract/config/config.ts';
import { templateCalls } from '@farlink/contract/config/config-template.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../test/api.ts';
import { type ConfigApi, startConfigApi } from '../../../test/config-api.ts';
import { uploadTo } from '../../../test/config-proof.ts';
import { fileKey } from '../../config-doc/files.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { sweepConfigFiles } from './sweep-files.ts';

let api: ConfigApi;
let admin: Caller;
let device: number;
const page = 'vpn_certificate';
const day = 86_400;

beforeAll(async () => {
  api = await startConfigApi();
  admin = await api.login('admin');
  ({ id: device } = await api.addTestGateway(admin.session?.agent_id ?? 0, 'FILES1'));
});
afterAll(() => api?.close());

const sweep = () => sweepConfigFiles({ deps: api.deps, signal: new AbortController().signal });
const bring = async (content: string, field = 'cert_file', name = 'a.crt') => {
  const reply = await uploadTo(api, admin, { device_id: device, page, field }, content, name);
  expect(reply, JSON.stringify(reply)).toMatchObject({ code: 0 });
  return { name, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
};
const isStored = async (file: { readonly sha256: string }, sealed = false) => {
  const row = await api.db
    .selectFrom('config_file')
    .select('sha256')
    .where('sha256', '=', file.sha256)
    .where('sealed', '=', sealed)
    .executeTakeFirst();
  const hasContent = await openFileStore(api.deps.config)
    .size(fileKey(file.sha256, sealed))
    .then(
      () => true,
      () => false,
    );
  expect(hasContent).toBe(row !== undefined);
  return hasContent;
};

describe('files used by documents', () => {
  it('are removed when nothing has used them for a long time, and not before', async () => {
    const draft = await bring('in a draft');
    const key = await bring('secret of a draft', 'key_file', 'a.key');
    const template = await bring('in a template');
    const lost = await bring('unused');
    const again = await bring('brought twice');
    const row = { usage: 'client', source: 'upload', warn_days: 30 };
    const doc = { rows: [{ ...row, name: 'a', cert_file: draft, key_file: key }] };
    expect(await admin.call(calls.draft, { device_id: device, page, base_rev: 0, doc })).toMatchObject({ code: 0 });
    const sections = { [page]: { rows: [{ key: 'b', set: { ...row, cert_file: template } }] } };
    const made = await admin.call(templateCalls.create, { name: 'certificates', level: 'platform', sections });
    expect(made, JSON.stringify(made)).toMatchObject({ code: 0 });

    await sweep();
    expect(await isStored(lost)).toBe(true);
    api.clock.advance(31 * day);
    admin = await api.login('admin');
    await bring('brought twice');
    await sweep();
    expect(await Promise.all([isStored(draft), isStored(key, true), isStored(template), isStored(again)])).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await isStored(lost)).toBe(false);
    // The same content can be uploaded again.
    await bring('unused');
    expect(await isStored(lost)).toBe(true);
  });
});
