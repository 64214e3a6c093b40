import { reasons } from './codec.ts';
import type { Will } from './connect.ts';
import type { Connection } from './connection.ts';

/** Number of connections at which further auxiliary clients of a gateway are refused. */
const maxAuxiliary = 16;

/** The SN is part of the key, because an auxiliary client id may equal the SN of another gateway. */
const clientKeyOf = ({ sn, clientId }: Connection) => `${sn} ${clientId}`;

/** An online gateway with the connections of its clients. It is offline when the last connection has ended. */
interface Presence {
  readonly id: string;
  readonly connections: Set<Connection>;
  hasSentHello: boolean;
  /** The gateway has sent hello since its main client last connected. It may use another link than before. */
  isLinkKnown: boolean;
  /** Timer that stores `bye` unless the gateway reconnects first. */
  byeTimer: NodeJS.Timeout | undefined;
}

/** Gateways that are connected to this process. */
export class GatewayPresence {
  readonly #online = new Map<string, Presence>();
  readonly #byClient = new Map<string, Connection>();
  readonly #storeBye: (sn: string, presence: string, body: string) => void;
  #isClosing = false;

  constructor(storeBye: (sn: string, presence: string, body: string) => void) {
    this.#storeBye = storeBye;
  }

  get sns(): string[] {
    return [...this.#online.keys()];
  }

  idOf(sn: string): string | undefined {
    return this.#online.get(sn)?.id;
  }

  connectionsOf(sns: Iterable<string>): Connection[] {
    return [...sns].flatMap((sn) => [...(this.#online.get(sn)?.connections ?? [])]);
  }

  mayAdd(connection: Connection): boolean {
    const { sn, clientId } = connection;
    if (clientId === sn || this.#byClient.has(clientKeyOf(connection))) return true;
    return (this.#online.get(sn)?.connections.size ?? 0) < maxAuxiliary;
  }

  add(connection: Connection) {
    const { sn, clientId } = connection;
    const presence = this.#online.get(sn) ?? {
      id: connection.id,
      connections: new Set(),
      hasSentHello: false,
      isLinkKnown: false,
      byeTimer: undefined,
    };
    this.#online.set(sn, presence);
    clearTimeout(presence.byeTimer);
    presence.connections.add(connection);
    if (clientId === sn) presence.isLinkKnown = false;
    connection.presence = presence.id;
    // Keyed on the client id: an auxiliary client of the same gateway is not the gateway.
    const key = clientKeyOf(connection);
    this.#byClient.get(key)?.end(reasons.takenOver);
    this.#byClient.set(key, connection);
  }

  helloSent(sn: string) {
    const presence = this.#online.get(sn);
    if (presence) Object.assign(presence, { hasSentHello: true, isLinkKnown: true });
  }

  isLinkKnown(sn: string): boolean {
    return this.#online.get(sn)?.isLinkKnown === true;
  }

  remove(connection: Connection, will: Will) {
    const key = clientKeyOf(connection);
    if (this.#byClient.get(key) === connection) this.#byClient.delete(key);
    const presence = this.#online.get(connection.sn);
    if (presence?.connections.delete(connection) && presence.connections.size === 0) this.#setOffline(connection.sn, presence, will);
  }

  #setOffline(sn: string, presence: Presence, { body, delayS }: Will) {
    const removePresence = () => {
      this.#online.delete(sn);
      if (presence.hasSentHello && body !== undefined && !this.#isClosing) this.#storeBye(sn, presence.id, body);
    };
    if (delayS === 0 || !presence.hasSentHello || this.#isClosing) removePresence();
    else presence.byeTimer = setTimeout(removePresence, delayS * 1000).unref();
  }

  /** From now on no `bye` is stored: the process marks its gateways offline itself. */
  close() {
    this.#isClosing = true;
    for (const { byeTimer } of this.#online.values()) clearTimeout(byeTimer);
  }
}
