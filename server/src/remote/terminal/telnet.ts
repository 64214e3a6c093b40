/** RFC 854 and the options that a terminal needs: 857 echo, 858 suppress go-ahead, 1073 window size, 1091 terminal type, 856 binary. */
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
const NUL = 0;
const LF = 10;
const CR = 13;
const BACKSPACE = 8;
const DELETE = 127;

/** Options that the device may enable, and options that we accept. */
const theirs: readonly number[] = [BINARY, ECHO, SGA];
const ours: readonly number[] = [BINARY, SGA, TTYPE, NAWS];

const terminalName = Buffer.from('XTERM-256COLOR', 'latin1');
/** Longer than any request that we reply to; the rest of a longer one is dropped. */
const subMax = 64;

export interface TelnetOutput {
  /** For the screen. */
  readonly shown: Buffer;
  /** For the device. */
  readonly reply: Buffer;
}

/**
 * Client side of one telnet connection: bytes in, bytes out. It never writes by itself, and it replies to an option only on a change, so
 * that negotiation cannot loop.
 */
export class Telnet {
  readonly #us = new Set<number>();
  readonly #them = new Set<number>();
  #state: 'data' | 'cr' | 'iac' | 'verb' | 'sub' | 'sub_iac' = 'data';
  #verb = 0;
  #sub: number[] = [];
  #cols: number;
  #rows: number;

  constructor(cols: number, rows: number) {
    this.#cols = cols;
    this.#rows = rows;
  }

  /** The device echoes input or hides it. Otherwise the terminal must echo. */
  get echoes(): boolean {
    return this.#them.has(ECHO);
  }

  receive(chunk: Buffer): TelnetOutput {
    const shown: number[] = [];
    const reply: number[] = [];
    for (const byte of chunk) this.#readByte(byte, shown, reply);
    return { shown: Buffer.from(shown), reply: Buffer.from(reply) };
  }

  #readByte(byte: number, shown: number[], reply: number[]): void {
    switch (this.#state) {
      case 'cr':
        this.#state = 'data';
        // CR NUL is a bare carriage return.
        if (byte === NUL) return;
        this.#readByte(byte, shown, reply);
        return;
      case 'data':
        if (byte === IAC) this.#state = 'iac';
        else {
          shown.push(byte);
          if (byte === CR && !this.#them.has(BINARY)) this.#state = 'cr';
        }
        return;
      case 'iac':
        if (byte === IAC) shown.push(IAC);
        this.#verb = byte;
        this.#sub = [];
        this.#state = byte === SB ? 'sub' : byte >= WILL && byte < IAC ? 'verb' : 'data';
        return;
      case 'verb':
        this.#state = 'data';
        this.#negotiate(byte, reply);
        return;
      case 'sub':
        if (byte === IAC) this.#state = 'sub_iac';
        else if (this.#sub.length < subMax) this.#sub.push(byte);
        return;
      case 'sub_iac':
        if (byte === SE) {
          this.#state = 'data';
          this.#replyTerminalType(reply);
          return;
        }
        this.#state = 'sub';
        if (byte === IAC && this.#sub.length < subMax) this.#sub.push(IAC);
    }
  }

  #negotiate(option: number, reply: number[]) {
    const isDeviceOption = this.#verb === WILL || this.#verb === WONT;
    const [side, may, yes, no] = isDeviceOption ? ([this.#them, theirs, DO, DONT] as const) : ([this.#us, ours, WILL, WONT] as const);
    const enable = this.#verb === WILL || this.#verb === DO;
    if (enable === side.has(option)) return;
    if (enable && !may.includes(option)) return void reply.push(IAC, no, option);
    if (enable) side.add(option);
    else side.delete(option);
    reply.push(IAC, enable ? yes : no, option);
    if (enable && !isDeviceOption && option === NAWS) reply.push(...this.#size());
  }

  /** Replies to the only supported request: the terminal type. */
  #replyTerminalType(reply: number[]) {
    const [option, send] = this.#sub;
    if (option === TTYPE && send === 1 && this.#us.has(TTYPE)) reply.push(IAC, SB, TTYPE, 0, ...terminalName, IAC, SE);
  }

  #size(): number[] {
    const sizeBytes = [this.#cols >> 8, this.#cols & 255, this.#rows >> 8, this.#rows & 255];
    return [IAC, SB, NAWS, ...sizeBytes.flatMap((b) => (b === IAC ? [IAC, IAC] : [b])), IAC, SE];
  }

  /** Bytes for the device, if it has enabled NAWS. */
  resize(cols: number, rows: number): Buffer {
    this.#cols = cols;
    this.#rows = rows;
    return Buffer.from(this.#us.has(NAWS) ? this.#size() : []);
  }

  /** Key input as sent to the device, and as echoed on the screen if the device does not echo. */
  type(keys: Buffer): { readonly sent: Buffer; readonly shown: Buffer } {
    const sent: number[] = [];
    const shown: number[] = [];
    for (const byte of keys) {
      sent.push(byte);
      if (byte === IAC) sent.push(IAC);
      // In character mode a return is CR NUL; a device in line mode expects CR LF.
      if (byte === CR && !this.#us.has(BINARY)) sent.push(this.echoes ? NUL : LF);
      if (byte === CR) shown.push(CR, LF);
      else if (byte === DELETE || byte === BACKSPACE) shown.push(BACKSPACE, 32, BACKSPACE);
      else if (byte >= 32) shown.push(byte);
    }
    return { sent: Buffer.from(sent), shown: Buffer.from(this.echoes ? [] : shown) };
  }
}
