import type { StatusBroker, StatusFinding, StatusListener } from '@farlink/contract/advanced/system-status.ts';
import type { Deps } from '../../kit/deps.ts';
import { finding, statusPart } from './finding.ts';
import { readProcessNodes } from './nodes.ts';

const findingsOf = (listeners: readonly StatusListener[]): StatusFinding[] => {
  const brokers = listeners.filter(({ transport }) => transport === 'broker');
  const isCut = brokers.length > 0 && brokers.every(({ is_connected }) => !is_connected);
  return [
    ...finding(
      'broker_lost',
      isCut ? 'critical' : undefined,
      ['没有进程连接到外部 MQTT 代理', 'No process is connected to the external MQTT broker'],
      ['检查代理是否运行，以及 BROKER_URL 的地址与密码', 'Check that the broker runs, and the address and password of BROKER_URL'],
    ),
    ...finding(
      'no_listener',
      listeners.length === 0 ? 'warning' : undefined,
      ['没有进程接收网关连接', 'No process listens for gateways'],
      ['检查 field 进程与 MQTT_PORT', 'Check the field processes and MQTT_PORT'],
    ),
  ];
};

export const readBroker = async (deps: Deps) => {
  const nodes = (await readProcessNodes(deps)).filter(({ is_gone }) => !is_gone);
  const listeners = nodes.flatMap(({ name, figures }) =>
    figures.listeners.map(({ waiting: _, ...listener }): StatusListener => ({ node: name, ...listener })),
  );
  const figures: StatusBroker = { gateways: listeners.reduce((sum, { gateways }) => sum + gateways, 0), listeners };
  return statusPart(figures, findingsOf(listeners));
};
