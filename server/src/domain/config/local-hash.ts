import { createHmac } from 'node:crypto';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { takeSteps } from '../../kit/jobs/take-steps.ts';
import { hashInSteps } from './hash-in-steps.ts';

/** Identifies a local change that a page shows. Keyed, because guesses of secrets could be tested against a plain hash. */
export const localHash = async (local: JsonObject, secretKey: Buffer): Promise<string> =>
  createHmac('sha256', secretKey)
    .update(`local change ${await takeSteps(hashInSteps(local))}`)
    .digest('base64url');
