import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { NotASheet, tooLarge } from './sheet.ts';

/** Maximum characters of one tag and between two tags, because saxes buffers them completely. */
const maxToken = 1024 * 1024;

/** Attributes by local name; prefixes differ between programs. */
export type Attributes = Readonly<Record<string, string>>;

/** Local element names; text is complete, with entities resolved. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Refuses a DOCTYPE: a workbook has none, and it allows entity expansion attacks. */
const parserOf = (handler: XmlHandler) => {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let seenAt = 0;
  const seen = () => {
    seenAt = parser.position;
  };
  parser.on('error', (error) => {
    throw new NotASheet('the XML is not well-formed', { cause: error });
  });
  parser.on('doctype', () => {
    throw new NotASheet('the XML has a DOCTYPE');
  });
  parser.on('opentag', ({ name, attributes }) => {
    seen();
    handler.open(localName(name), Object.fromEntries(Object.entries(attributes).map(([key, value]) => [localName(key), value])));
  });
  parser.on('closetag', ({ name }) => {
    seen();
    handler.close(localName(name));
  });
  parser.on('text', (text) => {
    seen();
    handler.text(text);
  });
  parser.on('cdata', (text) => {
    seen();
    handler.text(text);
  });
  return {
    write: (text: string) => {
      parser.write(text);
      if (parser.position - seenAt > maxToken) throw tooLarge.unpacked();
    },
    close: () => parser.close(),
  };
};

/** Parses a workbook part while it is decompressed, and pauses after each chunk so that other requests run. */
export async function* parseXml(bytes: Readable, handler: XmlHandler): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = parserOf(handler);
  try {
    for await (const chunk of bytes) {
      parser.write(decoder.decode(chunk, { stream: true }));
      yield;
      await setImmediate();
    }
    parser.write(decoder.decode());
    parser.close();
    yield;
  } catch (error) {
    throw error instanceof NotASheet ? error : new NotASheet('a part cannot be unpacked', { cause: error });
  } finally {
    bytes.destroy();
  }
}
