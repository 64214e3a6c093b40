import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { upload } from '../../upload.ts';
import { ActionFault, type ActionRun } from './action-run.ts';

/** Uploads a file to the URL of the console. */
export const uploadFile = async (run: ActionRun, name: string, body: Buffer): Promise<JsonObject> => {
  const { put } = run.extras;
  if (put === undefined) throw new ActionFault('no upload URL');
  run.print(`sending ${name}, ${body.length} bytes`);
  try {
    const { size, sha256 } = await upload(run.gateway, put, body, run.extras.any);
    run.print('sent');
    return { name, size, sha256 };
  } catch (error) {
    throw new ActionFault(`upload: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** `FL24001000-20260801T120000` */
export const stampOf = (run: ActionRun): string =>
  `${run.gateway.sn}-${new Date(run.gateway.now() * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '')}`;
