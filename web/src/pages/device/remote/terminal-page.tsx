import { type RemoteState, remoteCalls, remoteEndText, remoteService } from '@farlink/contract/device/remote.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Terminal } from '@xterm/xterm';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { useRouteId } from '../../../kit/chrome/route.ts';
import { markActivity } from '../../../kit/live/activity.ts';
import { call } from '../../../kit/net/call.ts';
import { copyText } from '../../../ui/browser/copy.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';
import { Point, Tag } from '../../../ui/native/tag.tsx';
import '../../../ui/styles/detail.css';
import './remote.css';
import { TerminalKeys } from './terminal-keys.tsx';
import { openTerminalSocket, type Phase } from './terminal-socket.ts';
import { fitTerminal, makeTerminal, textOf } from './xterm.ts';

const texts = {
  title: ['远程终端', 'Remote terminal'],
  screen: ['终端输入', 'Terminal input'],
  connecting: ['正在连接…', 'Connecting…'],
  opening: ['等待设备', 'Waiting for the device'],
  patience: [
    '正在等待设备建立隧道，卫星链路通常需要数秒',
    'Waiting for the device to open a tunnel. Over satellite this usually takes a few seconds.',
  ],
  waited: ['已等待 {0} 秒', '{0} s so far'],
  open: ['已连接', 'Connected'],
  ended: ['已结束', 'Ended'],
  over: ['会话已结束：{0}', 'Session ended: {0}'],
  lost: ['与服务器的连接已断开', 'Connection to the server lost'],
  copy: ['复制', 'Copy'],
  copied: ['已复制', 'Copied'],
  notCopied: ['浏览器不允许复制', 'The browser does not allow copying'],
  leave: ['断开', 'Disconnect'],
  again: ['重新打开', 'Open again'],
  devices: ['返回设备列表', 'Back to the device list'],
  recorded: ['本次会话将被录像', 'This session is recorded'],
  readOnly: ['只读', 'Read only'],
  noKeys: ['只读模式：键入的内容不会发送到设备', 'Read-only: your input is not sent to the device'],
} as const satisfies Record<string, Text>;

/** The ticket is in the URL fragment and is valid once; it must not stay in the history. */
const takeTicket = (): string => {
  const ticket = location.hash.slice(1);
  if (ticket) history.replaceState(history.state, '', location.pathname);
  return ticket;
};

const isOverPhase = (name: Phase['name']): name is 'ended' | 'refused' | 'lost' =>
  name === 'ended' || name === 'refused' || name === 'lost';

const endText = (phase: Phase, remoteState: RemoteState | undefined): string | undefined => {
  if (phase.name === 'ended') return t(texts.over, t(remoteEndText(phase.reason))) + (phase.message ? ` (${phase.message})` : '');
  if (phase.name === 'lost') return t(texts.lost);
  if (phase.name !== 'refused') return undefined;
  return remoteState?.end_reason ? t(texts.over, t(remoteEndText(remoteState.end_reason))) : t(errors.remote_ticket.text);
};

/** A satellite connection takes time, so the waiting time is shown. */
const Waiting = () => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="terminal-wait">
      {t(texts.patience)}
      <br />
      {t(texts.waited, seconds)}
    </p>
  );
};

const configPages: Readonly<Record<string, string>> = { telnet: 'telnet_gateway', modem: 'telnet_modem', acu: 'telnet_antenna' };

/** A Telnet session can be reopened at once; others need options from their gateway page. */
const Again = ({ state: remoteState, reopen }: { readonly state: RemoteState | undefined; readonly reopen: () => void }) => {
  if (remoteState?.device_id == null) return <Link to="/device/list">{t(texts.devices)}</Link>;
  if (remoteState.service === 'telnet' && !remoteState.read_only)
    return (
      <Button kind="primary" onClick={reopen}>
        {t(texts.again)}
      </Button>
    );
  return (
    <Link to={`/device/gateway-config/${remoteState.device_id}?page=${configPages[remoteState.service] ?? ''}`}>{t(texts.again)}</Link>
  );
};

/** Connects a terminal on the screen to the session; it lives as long as this page. */
const useTerminal = (id: number, onPhase: (phase: Phase) => void) => {
  const container = useRef<HTMLDivElement>(null);
  const terminal = useRef<Terminal>(null);
  const wire = useRef<ReturnType<typeof openTerminalSocket>>(null);
  useEffect(() => {
    const box = container.current;
    if (!box) return;
    const made = makeTerminal(box, { label: t(texts.screen) });
    terminal.current = made;
    const unfit = fitTerminal(made, box);
    const encoder = new TextEncoder();
    // A ticket is valid once, so the first of two development effects must not use it.
    const begin = setTimeout(() => {
      const { cols, rows } = made;
      const ticket = takeTicket();
      if (!ticket) return onPhase({ name: 'refused' });
      const socket = openTerminalSocket({ id, ticket, cols, rows, onPhase, onScreen: (bytes) => made.write(bytes) });
      wire.current = socket;
      made.onData((text) => {
        markActivity();
        socket.type(encoder.encode(text));
      });
      made.onBinary((text) => socket.type(Uint8Array.from(text, (c) => c.charCodeAt(0))));
      made.onResize((size) => socket.resize(size));
    });
    return () => {
      clearTimeout(begin);
      wire.current?.close();
      wire.current = null;
      unfit();
      made.dispose();
    };
  }, [id, onPhase]);
  return { container, terminal, disconnect: () => wire.current?.close() };
};

interface TerminalHeadProps {
  readonly phase: Phase;
  readonly state: RemoteState | undefined;
  readonly children: ReactNode;
}

/** Device, service and connection state, with the buttons. */
const TerminalHead = ({ phase, state, children }: TerminalHeadProps) => {
  const service = remoteService.find(({ id }) => id === state?.service)?.label ?? ['', ''];
  return (
    <header className="row card detail-head">
      <h2 className="clip">{state ? `${state.device_name} · ${t(service)}` : t(texts.title)}</h2>
      <span role="status">
        {isOverPhase(phase.name) ? (
          <Point>{t(texts.ended)}</Point>
        ) : (
          <Point color={phase.name === 'open' ? 'green' : 'processing'}>{t(texts[phase.name])}</Point>
        )}
      </span>
      {state?.read_only && <Tag color="orange">{t(texts.readOnly)}</Tag>}
      <span className="spring" />
      {!isOverPhase(phase.name) && <span className="muted terminal-note">{t(texts.recorded)}</span>}
      {children}
    </header>
  );
};

/** One terminal to one device. */
const TerminalPage = () => {
  const id = useRouteId();
  const navigate = useNavigate();
  const [phase, setPhase] = useState<Phase>({ name: 'connecting' });
  const [remoteState, setRemoteState] = useState<RemoteState>();
  const { container, terminal, disconnect } = useTerminal(id, setPhase);

  const isOver = isOverPhase(phase.name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded again when the session ends, to get the reason
  useEffect(() => {
    call(remoteCalls.read, { id }, { silent: true, overlay: false }).then(setRemoteState, () => {});
  }, [id, isOver]);

  useEffect(() => {
    if (phase.name === 'open') terminal.current?.focus();
    if (terminal.current && isOver) terminal.current.options.disableStdin = true;
  }, [phase.name, isOver, terminal]);

  const copy = async () => {
    if (!terminal.current) return;
    const ok = await copyText(textOf(terminal.current));
    if (ok) notify.success(t(texts.copied));
    else notify.warning(t(texts.notCopied));
    terminal.current.focus();
  };
  const leave = () => {
    disconnect();
    setPhase({ name: 'ended', reason: 'closed', message: null });
  };
  const again = async () => {
    if (remoteState?.device_id == null) return;
    const { url } = await call(remoteCalls.telnet, { id: remoteState.device_id });
    setPhase({ name: 'connecting' });
    await navigate(url, { replace: true });
  };
  const endMessage = endText(phase, remoteState);
  const isReadOnly = remoteState?.read_only === true;
  return (
    <div className="terminal-page">
      <TerminalHead phase={phase} state={remoteState}>
        <Button onClick={() => void copy()}>{t(texts.copy)}</Button>
        {isOver && <Again state={remoteState} reopen={() => void again().catch(() => {})} />}
        {!isOver && (
          <Button danger onClick={leave}>
            {t(texts.leave)}
          </Button>
        )}
      </TerminalHead>
      {isReadOnly && !isOver && <Callout tone="warning">{t(texts.noKeys)}</Callout>}
      {endMessage !== undefined && <Callout tone="warning">{endMessage}</Callout>}
      <div className="terminal-frame">
        <div className="terminal-screen" ref={container} />
        {phase.name === 'opening' && <Waiting />}
      </div>
      {phase.name === 'open' && !isReadOnly && (
        <TerminalKeys
          send={(text) => {
            terminal.current?.input(text);
            terminal.current?.focus();
          }}
        />
      )}
    </div>
  );
};
export default TerminalPage;
