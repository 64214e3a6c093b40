import { acceptMsChap2 } from '@farlink/gateway/radius/mschap.ts';
import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { isChapResponse, isSamePassword, revealPassword } from '@farlink/gateway/radius/password.ts';
import { ipOf, octetsOf, textOf } from '@farlink/gateway/radius/values.ts';
import { macOf } from '../domain/radius/mac-of.ts';
import type { Nas } from './registry.ts';
import { vlanOf } from './station.ts';

export type Method = 'pap' | 'chap' | 'mschap';

/** An Access-Request as data. */
export interface LoginRequest {
  readonly account: string;
  readonly method: Method;
  readonly mac: string | undefined;
  readonly ip: string | undefined;
  readonly vlan: number | undefined;
  /** Whether the password is right; for MS-CHAPv2 also the proof for the client. */
  prove(password: string): { readonly isRight: boolean; readonly success?: Buffer };
}

export interface Login {
  readonly nas: Nas;
  readonly request: LoginRequest;
}

type Proof = Pick<LoginRequest, 'method' | 'prove'>;

const wrong = { isRight: false };

const papProof = (packet: Packet, secret: string): Proof | undefined => {
  const hidden = octetsOf(packet, 'User-Password');
  const revealed = hidden && revealPassword(hidden, packet.authenticator, secret);
  return hidden && { method: 'pap', prove: (password) => ({ isRight: revealed !== undefined && isSamePassword(revealed, password) }) };
};

const chapProof = (packet: Packet): Proof | undefined => {
  const response = octetsOf(packet, 'CHAP-Password');
  const challenge = octetsOf(packet, 'CHAP-Challenge') ?? packet.authenticator;
  return response && { method: 'chap', prove: (password) => ({ isRight: isChapResponse(response, challenge, password) }) };
};

const msChapProof = (packet: Packet): Proof | undefined => {
  const response = octetsOf(packet, 'MS-CHAP2-Response');
  const challenge = octetsOf(packet, 'MS-CHAP-Challenge');
  if (!response || !challenge) return undefined;
  const name = textOf(packet, 'User-Name') ?? '';
  return {
    method: 'mschap',
    prove: (password) => {
      const success = acceptMsChap2(response, challenge, name, password);
      return success ? { isRight: true, success } : wrong;
    },
  };
};

/** Undefined for a request without a name or a password, as with EAP. */
export const readLoginRequest = (packet: Packet, nas: Nas, secret: string): LoginRequest | undefined => {
  const account = textOf(packet, 'User-Name');
  const proof = papProof(packet, secret) ?? chapProof(packet) ?? msChapProof(packet);
  if (account === undefined || !proof) return undefined;
  const isOn = proof.method === 'pap' || nas[proof.method];
  return {
    ...proof,
    // The response is not tested if the method is off for this NAS.
    prove: isOn ? proof.prove : () => wrong,
    account,
    mac: macOf(textOf(packet, 'Calling-Station-Id')),
    ip: ipOf(packet, 'Framed-IP-Address'),
    vlan: vlanOf(packet),
  };
};

export const isMethodOn = (nas: Nas, method: Method) => method === 'pap' || nas[method];
