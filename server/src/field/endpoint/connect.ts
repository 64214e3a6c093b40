import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { bye } from '@farlink/gateway/protocol/message.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { enrolPrefix, snPattern, upTail } from '@farlink/gateway/protocol/topic.ts';
import type { IConnackPacket, IConnectPacket } from 'mqtt-packet';
import type { Proof } from '../enrolment/authenticate.ts';
import { reasons, returnCodeOf, type Version } from './codec.ts';

/** `bye` message stored when the connection ends. No body: another connection replaced it. */
export interface Will {
  readonly body: string | undefined;
  readonly delayS: number;
}

export interface Caller {
  readonly sn: string;
  readonly clientId: string;
  readonly proof: Proof;
  /** Merchant code of a gateway that has no key yet. */
  readonly code: string | undefined;
  readonly will: Will;
  /** Receive maximum of the gateway. */
  readonly window: number;
}

const longestDelayS = 300;

export const lost = '{"r":"lost"}';

/** An invalid will cannot be reported later, so it is replaced by `lost`. */
const willBody = (payload: string) => ('value' in parseJson(bye, payload) ? payload : lost);

/** Identity that a CONNECT claims, or the reason code of its refusal. `certified` is the name in the verified client certificate. */
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
    // A key takes precedence over the certificate.
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
