import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { bye } from '@farlink/gateway/protocol/message.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { enrolPrefix, snPattern, upTail } from '@farlink/gateway/protocol/topic.ts';
import type { IConnackPacket, IConnectPacket } from 'mqtt-packet';
import type { Proof } from '../enrolment/authenticate.ts';
import { reasons, returnCodeOf, type Version } from './codec.ts';

/** What is said for the gateway when its connection ended: nothing if another one took its place. */
export interface Will {
  readonly body: string | undefined;
  readonly delayS: number;
}

export interface Caller {
  readonly sn: string;
  readonly clientId: string;
  readonly proof: Proof;
  /** The merchant code of one that has no key yet. */
  readonly code: string | undefined;
  readonly will: Will;
  /** How many messages it takes at a time. */
  readonly window: number;
}

const longestDelayS = 300;

export const lost = '{"r":"lost"}';

/** Said when nobody is there any more to be told that it does not fit: what is no farewell means that the gateway was lost. */
const willBody = (payload: string) => ('value' in parseJson(bye, payload) ? payload : lost);

/** Who a CONNECT claims to be, or the reason why it cannot be anybody; `certified` is the name in its verified certificate. */
export const callerOf = (packet: IConnectPacket, certified: string | undefined): Caller | { readonly refused: number } => {
  const { protocolVersion, username: sn = '', clientId, password, will, properties } = packet;
  if (protocolVersion !== 4 && protocolVersion !== 5) return { refused: reasons.version };
  if (!snPattern.test(sn) || (!password?.length && certified !== sn)) return { refused: reasons.badKey };
  if (clientId !== sn && !clientId.startsWith(`${sn}-`)) return { refused: reasons.clientId };
  if (will && upTail(sn, will.topic) !== 'bye') return { refused: reasons.notAuthorized };
  const key = password?.toString('utf8') ?? '';
  return {
    sn,
    clientId,
    // Who shows a key is known by it, whatever its certificate says.
    proof: key === '' ? { certified: true } : { key },
    code: key.startsWith(enrolPrefix) ? key.slice(enrolPrefix.length) : undefined,
    will: {
      body: will ? willBody(String(will.payload)) : lost,
      delayS: Math.min(will?.properties?.willDelayInterval ?? 0, longestDelayS),
    },
    window: Math.min(properties?.receiveMaximum ?? protocolLimits.inFlight, protocolLimits.inFlight),
  };
};

export const connackOf = (version: Version, serverKeepAlive: number): IConnackPacket =>
  version === 4
    ? { cmd: 'connack', sessionPresent: false, returnCode: 0 }
    : {
        cmd: 'connack',
        sessionPresent: false,
        reasonCode: reasons.ok,
        properties: {
          serverKeepAlive,
          receiveMaximum: protocolLimits.inFlight,
          maximumPacketSize: protocolLimits.packetBytes,
          topicAliasMaximum: protocolLimits.topicAliases,
          maximumQoS: 1,
          retainAvailable: false,
          sharedSubscriptionAvailable: false,
          subscriptionIdentifiersAvailable: false,
          sessionExpiryInterval: 0,
        },
      };

export const refusalOf = (version: Version, reason: number): IConnackPacket =>
  version === 5
    ? { cmd: 'connack', sessionPresent: false, reasonCode: reason }
    : { cmd: 'connack', sessionPresent: false, returnCode: returnCodeOf(reason) };
