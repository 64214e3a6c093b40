import type { systemStatusCalls as calls } from '@farlink/contract/advanced/system-status.ts';
import { readStatus } from '../../domain/system-status/read-status.ts';
import type { Handler } from '../../kit/http/serve.ts';

export const readSystemStatus: Handler<typeof calls.read> = (ctx) => readStatus(ctx.deps);
