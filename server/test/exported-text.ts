import { errors } from '@farlink/contract/errors.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { expect } from 'vitest';
import { exportBuilders } from '../src/jobs.ts';
import { exportJobs } from '../src/kit/export/export-job.ts';
import { startJobs } from '../src/kit/jobs/job-runner.ts';
import type { Api, Caller } from './api.ts';

/** A CSV export as text: requested and downloaded by the same account. Empty if the export has no rows. */
export const exportedText = async (api: Api, by: Caller, call: Endpoint, input: Values = {}): Promise<string> => {
  const { code, msg, data } = await by.call(call, { format: 'csv', ...input });
  if (code === errors.export_empty.code) return '';
  if (code !== 0) throw new Error(`${call.path}: ${code} ${msg}`);
  expect(data, call.path).toEqual({ id: expect.any(Number), job_id: expect.any(Number) });
  const jobs = startJobs(api.deps, exportJobs(exportBuilders), { pollMs: 0 });
  await jobs.tick();
  await jobs.stop();
  const { id, file_key } = await api.db
    .selectFrom('export_task')
    .select(['id', 'file_key'])
    .where('customer_id', '=', by.session?.uid ?? 0)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  if (file_key === null) return '';
  const url = `${api.base}/agt/v1/export/download/${id}`;
  return (await fetch(url, { headers: { authorization: by.session?.token ?? '' } })).text();
};
