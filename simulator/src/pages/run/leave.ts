import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { upload } from '../../upload.ts';
import { type Deed, DeedFault } from './deed.ts';

/** Leaves a file with the console, where it gave a place for it. */
export const leaveFile = async (deed: Deed, name: string, body: Buffer): Promise<JsonObject> => {
  const { put } = deed.extras;
  if (put === undefined) throw new DeedFault('there is no place to send it to');
  deed.say(`sending ${name}, ${body.length} bytes`);
  try {
    const { size, sha256 } = await upload(deed.box, put, body, deed.extras.any);
    deed.say('sent');
    return { name, size, sha256 };
  } catch (error) {
    throw new DeedFault(`upload: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** `FL24001000-20260801T120000` */
export const stampOf = (deed: Deed): string =>
  `${deed.box.sn}-${new Date(deed.box.now() * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '')}`;
