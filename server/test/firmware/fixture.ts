import { randomUUID } from 'node:crypto';
import { firmwareCalls } from '@farlink/contract/firmware/firmware.ts';
import { makeTarGz } from '../../src/kit/formats/make-tar.ts';
import { type Api, type Caller, type Reply, readReply } from '../api.ts';

/** A small archive with unique content. */
export const image = (version: string) => makeTarGz({ 'etc/version': `${version}\n`, build: randomUUID() });

/** Sends the form as a browser does: text fields first, then the file. */
export const upload = async (
  api: Api,
  by: Caller,
  input: Record<string, unknown>,
  content: Buffer = image(String(input.version)),
  name = 'fg.tar.gz',
): Promise<Reply<{ id: number }>> => {
  const form = new FormData();
  const all = { model: 'FG-200', remark: '修复若干问题', display_rule: 'all', ...input, lang: input.lang ?? 'zh' };
  for (const [key, value] of Object.entries(all)) form.append(key, String(value));
  form.append('file', new Blob([new Uint8Array(content)]), name);
  const headers = { authorization: by.session?.token ?? '' };
  return readReply(await fetch(`${api.base}/agt/v1/${firmwareCalls.create.path}`, { method: 'POST', headers, body: form }));
};

export const mustUpload = async (...args: Parameters<typeof upload>): Promise<number> => {
  const reply = await upload(...args);
  if (reply.code !== 0) throw new Error(`${reply.code} ${reply.msg} ${JSON.stringify(reply.data)}`);
  return reply.data.id;
};

let counter = 0;

/** A device that is online on 6D by default. */
export const addDevice = async (api: Api, agentId: number, more: Record<string, unknown> = {}) => {
  const sn = `FIR-${++counter}`;
  const { id } = await api.db
    .insertInto('device')
    .values({
      agent_id: agentId,
      name: `船 ${counter}`,
      sn,
      create_at: 1,
      model: 'FG-200',
      version: '03.02.01',
      online_state: 1,
      network: '6d',
      boot: 'boot0001',
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, sn };
};
