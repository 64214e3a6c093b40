import { errors } from '@farlink/contract/errors.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { expect } from 'vitest';
import { exportBuilders } from '../src/jobs.ts';
import { exportJobs } from '../src/kit/export/export-job.ts';
import { startJobs } from '../src/kit/jobs/job-runner.ts';
import type { Api, Caller } from './api.ts';

/** Id of the requested CSV export. Undefined if the export has no rows. */
const requestExport = async (by: Caller, call: Endpoint, input: Values): Promise<number | undefined> => {
  const { code, msg, ...reply } = await by.call(call, { format: 'csv', ...input });
  const data: unknown = reply.data;
  if (code === errors.export_empty.code) return undefined;
  if (code !== 0) throw new Error(`${call.path}: ${code} ${msg}`);
  expect(data, call.path).toEqual({ id: expect.any(Number), job_id: expect.any(Number) });
  return typeof data === 'object' && data !== null && 'id' in data ? Number(data.id) : undefined;
};

const download = async (api: Api, by: Caller, id: number | undefined): Promise<string> => {
  if (id === undefined) return '';
  const { file_key } = await api.db.selectFrom('export_task').select('file_key').where('id', '=', id).executeTakeFirstOrThrow();
  if (file_key === null) return '';
  const url = `${api.base}/agt/v1/export/download/${id}`;
  return (await fetch(url, { headers: { authorization: by.session?.token ?? '' } })).text();
};

/** CSV exports as texts: requested and downloaded by the same account. The text of an export without rows is empty. */
export const exportedTexts = async (api: Api, by: Caller, calls: readonly Endpoint[], input: Values = {}): Promise<string[]> => {
  const jobs = startJobs(api.deps, exportJobs(exportBuilders), { pollMs: 0 });
  const ids: (number | undefined)[] = [];
  for (const call of calls) {
    ids.push(await requestExport(by, call, input));
    // An account has few exports in the queue.
    await jobs.tick();
  }
  await jobs.stop();
  const texts: string[] = [];
  for (const id of ids) texts.push(await download(api, by, id));
  return texts;
};

export const exportedText = async (api: Api, by: Caller, call: Endpoint, input: Values = {}): Promise<string> => {
  const [text = ''] = await exportedTexts(api, by, [call], input);
  return text;
};
