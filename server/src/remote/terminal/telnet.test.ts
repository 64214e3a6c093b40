import { describe, expect, it } from 'vitest';
import { Telnet } from './telnet.ts';

const IAC = 255;
const DONT = 254;
const DO = 253;
const WONT = 252;
const WILL = 251;
const SB = 250;
const SE = 240;
const BINARY = 0;
const ECHO = 1;
const SGA = 3;
const TTYPE = 24;
const NAWS = 31;
const LINEMODE = 34;
const bytes = (...list: (number | string)[]) => Buffer.concat(list.map((b) => (typeof b === 'string' ? Buffer.from(b) : Buffer.from([b]))));

describe('a telnet connection', () => {
  it('accepts the options that a terminal supports and refuses the rest', () => {
    const telnet = new Telnet(80, 24);
    const { shown, reply } = telnet.receive(
      bytes(IAC, WILL, ECHO, IAC, WILL, SGA, IAC, DO, TTYPE, IAC, DO, NAWS, IAC, DO, LINEMODE, 'login: '),
    );
    expect(shown.toString()).toBe('login: ');
    const size = [IAC, SB, NAWS, 0, 80, 0, 24, IAC, SE];
    expect([...reply]).toEqual([...[IAC, DO, ECHO, IAC, DO, SGA, IAC, WILL, TTYPE, IAC, WILL, NAWS, ...size], ...[IAC, WONT, LINEMODE]]);
    expect(telnet.echoes).toBe(true);
  });

  it('replies to an offer once, for any number of offers', () => {
    const telnet = new Telnet(80, 24);
    telnet.receive(bytes(IAC, WILL, ECHO));
    expect(telnet.receive(bytes(IAC, WILL, ECHO, IAC, WONT, SGA, IAC, DONT, NAWS)).reply).toHaveLength(0);
    expect([...telnet.receive(bytes(IAC, WONT, ECHO)).reply]).toEqual([IAC, DONT, ECHO]);
    expect(telnet.echoes).toBe(false);
  });

  it('reads commands that arrive in pieces, and an escaped IAC as one byte', () => {
    const telnet = new Telnet(80, 24);
    const stream = bytes('a', IAC, IAC, 'b\r', 0, 'c\r\n', IAC, DO, TTYPE, IAC, SB, TTYPE, 1, IAC, SE, IAC, 241, 'd');
    const results = [...stream].map((b) => telnet.receive(Buffer.from([b])));
    expect(Buffer.concat(results.map((h) => h.shown)).toString('latin1')).toBe('a\xffb\rc\r\nd');
    expect(Buffer.concat(results.map((h) => h.reply)).toString('latin1')).toBe(
      bytes(IAC, WILL, TTYPE, IAC, SB, TTYPE, 0, 'XTERM-256COLOR', IAC, SE).toString('latin1'),
    );
  });

  it('does not store a very long subnegotiation, and continues after it', () => {
    const telnet = new Telnet(80, 24);
    const chunk = Buffer.alloc(1 << 20, 'x');
    telnet.receive(bytes(IAC, SB, TTYPE));
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 32; i++) telnet.receive(chunk);
    // Stored as numbers, 32 MB would need 256 MB. Other work in this process needs less than half of that.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(128 << 20);
    telnet.receive(bytes(IAC, SE));
    expect(telnet.receive(Buffer.from('still here')).shown.toString()).toBe('still here');
  });

  it('reports the size of the window on request, and again when it changes', () => {
    const telnet = new Telnet(80, 24);
    expect(telnet.resize(100, 30)).toHaveLength(0);
    telnet.receive(bytes(IAC, DO, NAWS));
    expect([...telnet.resize(255, 40)]).toEqual([IAC, SB, NAWS, 0, IAC, IAC, 0, 40, IAC, SE]);
  });

  it('echoes typed text only while the device does not', () => {
    const telnet = new Telnet(80, 24);
    expect(telnet.type(Buffer.from('ab\x7f\r')).shown.toString()).toBe('ab\b \b\r\n');
    telnet.receive(bytes(IAC, WILL, ECHO));
    expect(telnet.type(Buffer.from('secret\r')).shown).toHaveLength(0);
  });

  it('sends Enter and byte 255 as the negotiated options require', () => {
    const telnet = new Telnet(80, 24);
    expect([...telnet.type(Buffer.from('a\r')).sent]).toEqual([97, 13, 10]);
    telnet.receive(bytes(IAC, WILL, ECHO, IAC, WILL, SGA));
    expect([...telnet.type(Buffer.from([13, 255])).sent]).toEqual([13, 0, 255, 255]);
    telnet.receive(bytes(IAC, DO, BINARY));
    expect([...telnet.type(Buffer.from([13])).sent]).toEqual([13]);
  });
});
