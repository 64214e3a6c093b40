import { isRemoteEnd, type RemoteEnd } from '@farlink/contract/device/remote.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { readSession } from '../../../kit/net/session.ts';

export type Phase =
  | { readonly name: 'connecting' | 'opening' | 'open' | 'refused' | 'lost' }
  | { readonly name: 'ended'; readonly reason: RemoteEnd; readonly message: string | null };

interface TerminalSocketOptions {
  readonly id: number;
  readonly ticket: string;
  readonly cols: number;
  readonly rows: number;
  readonly onPhase: (phase: Phase) => void;
  readonly onScreen: (bytes: Uint8Array) => void;
}

const frame = 16 * 1024;

const phaseOf = (content: unknown): Phase | undefined => {
  if (!isRecord(content)) return undefined;
  const { state, reason, message } = content;
  if (state === 'ended')
    return { name: 'ended', reason: isRemoteEnd(reason) ? reason : 'finished', message: typeof message === 'string' ? message : null };
  return state === 'opening' || state === 'open' || state === 'refused' ? { name: state } : undefined;
};

/** WebSocket of one terminal: input and output are binary frames, state changes are text frames. */
export const openTerminalSocket = ({ id, ticket, cols, rows, onPhase, onScreen }: TerminalSocketOptions) => {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/agt/terminal`);
  socket.binaryType = 'arraybuffer';
  let last: Phase = { name: 'connecting' };
  const enter = (phase: Phase) => {
    last = phase;
    onPhase(phase);
  };
  socket.onopen = () => socket.send(JSON.stringify({ id, ticket, token: readSession()?.token, cols, rows }));
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data instanceof ArrayBuffer) return onScreen(new Uint8Array(data));
    const phase = typeof data === 'string' ? phaseOf(JSON.parse(data)) : undefined;
    if (phase) enter(phase);
  };
  socket.onclose = () => {
    if (last.name !== 'ended' && last.name !== 'refused') enter({ name: 'lost' });
  };
  const send = (data: string | Uint8Array<ArrayBuffer>) => {
    if (socket.readyState === WebSocket.OPEN && last.name === 'open') socket.send(data);
  };
  return {
    type: (bytes: Uint8Array<ArrayBuffer>) => {
      for (let at = 0; at < bytes.length; at += frame) send(bytes.slice(at, at + frame));
    },
    resize: (size: { readonly cols: number; readonly rows: number }) => {
      if (socket.readyState === WebSocket.OPEN && last.name !== 'connecting')
        socket.send(JSON.stringify({ cols: size.cols, rows: size.rows }));
    },
    close: () => {
      socket.onclose = null;
      socket.close();
    },
  };
};
