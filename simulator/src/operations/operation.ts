import type { Result } from '@farlink/gateway/protocol/message.ts';
import { parse, type Shape, str } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import { type Act, fail } from './result.ts';

/** Executes a command and returns the final result; undefined: no result follows. */
export type Run = (gateway: GatewayInternals, act: Act) => Result | undefined | Promise<Result | undefined>;

/** A name or a row number. */
export const label: Shape<string> = {
  read: (raw, at) => (Number.isSafeInteger(raw) ? String(raw) : str(64).read(raw, at)),
};

/** An operation whose arguments are validated before it runs. */
export const operation =
  <T>(shape: Shape<T>, run: (gateway: GatewayInternals, args: T, act: Act) => ReturnType<Run>): Run =>
  (gateway, act) => {
    const parsed = parse(shape, act.args);
    return 'reason' in parsed ? fail(`arguments: ${parsed.reason}`) : run(gateway, parsed.value, act);
  };
