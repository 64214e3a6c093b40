import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttributeName, attributes, codes, specOf } from './attributes.ts';
import { encodeReply, encodeRequest, newAuthenticator, replySignature, requestSignature } from './authenticator.ts';
import { md4 } from './md4.ts';
import { acceptMsChap2, authenticatorResponse, msChap2Response, ntResponse } from './mschap.ts';
import { decodePacket, encodePacket, type Packet } from './packet.ts';
import { chapResponse, hidePassword, isChapResponse, isSamePassword, revealPassword } from './password.ts';
import { attribute, intOf, ipOf, octetsOf, textOf } from './values.ts';

const isSoak = process.env.SOAK === '1';
const seed = 20_261_116;

const decoded = (bytes: Buffer): Packet => {
  const packet = decodePacket(bytes);
  if (!packet) throw new Error('malformed');
  return packet;
};

const octets = (max: number) => fc.uint8Array({ minLength: 0, maxLength: max }).map((bytes) => Buffer.from(bytes));
const anyAttribute = fc.oneof(
  fc.record({ type: fc.integer({ min: 1, max: 255 }).filter((type) => type !== 26), value: octets(253) }),
  fc.record({
    vendor: fc.integer({ min: 0, max: 0xffffff }),
    type: fc.integer({ min: 0, max: 255 }),
    value: octets(240).filter((v) => v.length > 0),
  }),
);
const anyPacket = fc.record({
  code: fc.integer({ min: 0, max: 255 }),
  id: fc.integer({ min: 0, max: 255 }),
  authenticator: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes)),
  attributes: fc.array(anyAttribute, { maxLength: 15 }),
});

describe('packets', () => {
  it('decode to the encoded value', () => {
    fc.assert(
      fc.property(anyPacket, (packet) => {
        expect(decodePacket(encodePacket(packet))).toEqual(packet);
      }),
      { seed, numRuns: isSoak ? 20_000 : 300 },
    );
  });

  it('ignore padding after the length', () => {
    const packet = { code: 1, id: 7, authenticator: newAuthenticator(), attributes: [attribute('User-Name', 'li')] };
    expect(decodePacket(Buffer.concat([encodePacket(packet), Buffer.alloc(9)]))).toEqual(packet);
  });

  it('are refused with a wrong length or an attribute beyond the end', () => {
    const bytes = encodePacket({ code: 1, id: 7, authenticator: newAuthenticator(), attributes: [attribute('User-Name', 'li')] });
    const broken = (at: number, value: number) => {
      const copy = Buffer.from(bytes);
      copy[at] = value;
      return decodePacket(copy);
    };
    expect(decodePacket(bytes.subarray(0, 19))).toBeUndefined();
    expect(decodePacket(bytes.subarray(0, bytes.length - 1))).toBeUndefined();
    expect(broken(3, 19)).toBeUndefined();
    expect(broken(2, 0x10)).toBeUndefined();
    expect(broken(21, 0)).toBeUndefined();
    expect(broken(21, 1)).toBeUndefined();
    expect(broken(21, 5)).toBeUndefined();
  });

  it('keep a vendor attribute of unknown layout unchanged', () => {
    const value = Buffer.from([0, 0, 1, 55, 1, 9, 1]);
    const bytes = encodePacket({ code: 1, id: 7, authenticator: newAuthenticator(), attributes: [{ type: 26, value }] });
    expect(decoded(bytes).attributes).toEqual([{ type: 26, value }]);
  });

  it('of random and mutated bytes never throw', () => {
    const good = encodeRequest(
      { code: 1, id: 9, attributes: [attribute('User-Name', 'li'), attribute('Mikrotik-Rate-Limit', '1k/2k')] },
      's',
    );
    fc.assert(
      fc.property(octets(200), fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 }), (noise, changes) => {
        const mutated = Buffer.concat([good, noise]);
        for (const [at, value] of changes) mutated[at] = value;
        for (const bytes of [noise, mutated]) {
          const packet = decodePacket(bytes);
          if (packet) for (const secret of ['s', 'other']) requestSignature(packet, bytes, secret);
          if (packet) for (const name of Object.keys(attributes)) textOf(packet, isName(name) ? name : 'Class');
        }
      }),
      { seed, numRuns: isSoak ? 500_000 : 3000 },
    );
  });
});

const isName = (name: string): name is AttributeName => Object.hasOwn(attributes, name);

describe('attributes', () => {
  it('have one name for each vendor and type', () => {
    const keys = Object.keys(attributes).map((name) => {
      const { vendor, type } = specOf(isName(name) ? name : 'Class');
      return `${vendor} ${type}`;
    });
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('carry text, numbers and addresses', () => {
    const packet = {
      attributes: [
        attribute('User-Name', '李'),
        attribute('Session-Timeout', 4_294_967_295),
        attribute('Framed-IP-Address', '10.1.255.3'),
        attribute('Tunnel-Private-Group-Id', '12'),
      ],
    };
    expect(textOf(packet, 'User-Name')).toBe('李');
    expect(intOf(packet, 'Session-Timeout')).toBe(4_294_967_295);
    expect(ipOf(packet, 'Framed-IP-Address')).toBe('10.1.255.3');
    expect(textOf(packet, 'Tunnel-Private-Group-Id')).toBe('12');
    expect(octetsOf(packet, 'Class')).toBeUndefined();
  });

  it('cut long text between characters', () => {
    expect(textOf({ attributes: [attribute('Reply-Message', '远'.repeat(100))] }, 'Reply-Message')).toBe('远'.repeat(84));
  });

  it('read a value of a wrong length as missing', () => {
    expect(intOf({ attributes: [{ type: 27, value: Buffer.from([1]) }] }, 'Session-Timeout')).toBeUndefined();
    expect(textOf({ attributes: [{ type: 1, value: Buffer.from('a\0b') }] }, 'User-Name')).toBeUndefined();
  });
});

describe('authenticators', () => {
  it('verify a request, and refuse another secret and each changed byte', () => {
    for (const code of [codes.accessRequest, codes.accountingRequest, codes.coaRequest, codes.disconnectRequest]) {
      const bytes = encodeRequest({ code, id: 3, attributes: [attribute('User-Name', 'li'), attribute('NAS-Port', 4)] }, 'secret 远');
      expect(requestSignature(decoded(bytes), bytes, 'secret 远')).toBe('valid');
      expect(requestSignature(decoded(bytes), bytes, 'other')).toBe('wrong');
      for (const at of bytes.keys()) {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ 1;
        const packet = decodePacket(copy);
        if (packet) expect(requestSignature(packet, copy, 'secret 远'), `${code} ${at}`).not.toBe('valid');
      }
    }
  });

  it('detect a missing and a repeated Message-Authenticator', () => {
    const bare = encodeRequest({ code: 1, id: 3, attributes: [], isSigned: false }, 's');
    expect(requestSignature(decoded(bare), bare, 's')).toBe('missing');
    const signed = decoded(encodeRequest({ code: 1, id: 3, attributes: [] }, 's'));
    const twice = encodePacket({ ...signed, attributes: [...signed.attributes, ...signed.attributes] });
    expect(requestSignature(decoded(twice), twice, 's')).toBe('wrong');
  });

  it('sign a packet with several vendor attributes in one', () => {
    const inner = Buffer.from([0, 0, 1, 55, 1, 3, 65, 2, 3, 66]);
    const bytes = encodeRequest({ code: 1, id: 3, attributes: [{ type: 26, value: inner }] }, 's');
    expect(decoded(bytes).attributes).toHaveLength(3);
    expect(requestSignature(decoded(bytes), bytes, 's')).toBe('valid');
  });

  it('verify a reply, with Message-Authenticator as first attribute of an access reply', () => {
    const request = decoded(encodeRequest({ code: 1, id: 3, attributes: [] }, 's'));
    const bytes = encodeReply({ code: codes.accessReject, attributes: [attribute('Reply-Message', 'no')] }, request, 's');
    expect(decoded(bytes).attributes[0]).toMatchObject({ type: 80 });
    expect(replySignature(decoded(bytes), bytes, request, 's')).toBe('valid');
    expect(replySignature(decoded(bytes), bytes, request, 't')).toBe('wrong');
  });

  it('match the values of RFC 2865 section 7.1', () => {
    const request = Buffer.from(
      '010000380f403f9473978057bd83d5cb98f4227a01066e656d6f02120dbe708d93d413ce3196e43f782a0aee0406c0a80110050600000003',
      'hex',
    );
    const packet = decoded(request);
    const hidden = octetsOf(packet, 'User-Password') ?? Buffer.alloc(0);
    expect(revealPassword(hidden, packet.authenticator, 'xyzzy5461')?.toString()).toBe('arctangent');
    const reply = encodeReply(
      {
        code: 2,
        isSigned: false,
        attributes: [
          attribute('Service-Type', 1),
          { type: 15, value: Buffer.alloc(4) },
          { type: 14, value: Buffer.from([192, 168, 1, 3]) },
        ],
      },
      packet,
      'xyzzy5461',
    );
    expect(reply.toString('hex')).toBe('0200002686fe220e7624ba2a1005f6bf9b55e0b20606000000010f06000000000e06c0a80103');
  });
});

describe('passwords', () => {
  it('are decrypted to the original value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ minLength: 1, maxLength: 40 }), (password, secret) => {
        const authenticator = newAuthenticator();
        if (password.includes('\0') || Buffer.byteLength(password) > 128) return;
        const revealed = revealPassword(hidePassword(password, authenticator, secret), authenticator, secret);
        expect(revealed?.toString()).toBe(password);
        expect(isSamePassword(revealed ?? Buffer.alloc(0), password)).toBe(true);
      }),
      { seed, numRuns: 300 },
    );
    expect(revealPassword(Buffer.alloc(15), newAuthenticator(), 's')).toBeUndefined();
    expect(revealPassword(Buffer.alloc(144), newAuthenticator(), 's')).toBeUndefined();
    expect(isSamePassword(Buffer.from('a'), 'b')).toBe(false);
  });

  it('are verified by CHAP', () => {
    const challenge = newAuthenticator();
    expect(isChapResponse(chapResponse(9, challenge, 'Pass'), challenge, 'Pass')).toBe(true);
    expect(isChapResponse(chapResponse(9, challenge, 'Pass'), challenge, 'pass')).toBe(false);
    expect(isChapResponse(Buffer.alloc(16), challenge, 'Pass')).toBe(false);
  });

  it('are hashed with MD4 as in RFC 1320', () => {
    const hex = (text: string) => md4(Buffer.from(text)).toString('hex');
    expect(hex('')).toBe('31d6cfe0d16ae931b73c59d7e0c089c0');
    expect(hex('abc')).toBe('a448017aaf21d8525fc10ae87aa6729d');
    expect(hex('12345678901234567890123456789012345678901234567890123456789012345678901234567890')).toBe(
      'e33b4ddc9c38f2199c3e7b164fcc0536',
    );
  });

  it('are verified by MS-CHAPv2 with the values of RFC 2759 section 9.2', () => {
    const challenge = Buffer.from('5b5d7c7d7b3f2f3e3c2c602132262628', 'hex');
    const peer = Buffer.from('21402324255e262a28295f2b3a337c7e', 'hex');
    const response = ntResponse(challenge, peer, 'User', 'clientPass');
    expect(response.toString('hex')).toBe('82309ecd8d708b5ea08faa3981cd83544233114a3d85d6df');
    const proof = '407A5589115FD0D6209F510FE9C04566932CDA56';
    expect(authenticatorResponse(challenge, peer, response, 'User', 'clientPass')).toBe(proof);
    const received = msChap2Response(7, challenge, peer, 'User', 'clientPass');
    expect(acceptMsChap2(received, challenge, 'User', 'clientPass')?.subarray(1).toString()).toBe(`S=${proof}`);
    expect(acceptMsChap2(received, challenge, 'User', 'clientpass')).toBeUndefined();
    expect(acceptMsChap2(received.subarray(1), challenge, 'User', 'clientPass')).toBeUndefined();
  });
});
