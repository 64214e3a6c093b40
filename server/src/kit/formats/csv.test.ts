import { expect, test } from 'vitest';
import type { Cell } from './cell.ts';
import { csv } from './csv.ts';

async function* inBatches(...batches: Cell[][][]) {
  yield* batches;
}
const written = async (header: string[], ...batches: Cell[][][]) => {
  let text = '';
  for await (const chunk of csv(header, inBatches(...batches))) text += chunk;
  return text;
};

test('a file begins with the byte order mark and its header, and ends every line with CRLF', async () => {
  expect(await written(['账号', 'Name'], [['a', 'b']], [['c', 'd']])).toBe('\ufeff账号,Name\r\na,b\r\nc,d\r\n');
});

test('commas, quotes and line ends are quoted as in RFC 4180', async () => {
  expect(await written(['x'], [['a,b'], ['say "hi"'], ['two\nlines'], ['cr\rlf'], [' plain ']])).toBe(
    '\ufeffx\r\n"a,b"\r\n"say ""hi"""\r\n"two\nlines"\r\n"cr\rlf"\r\n plain \r\n',
  );
});

test('text that a spreadsheet would run as a formula is neutralised, also in the header', async () => {
  const formulas = ['=1+1', '+86 138', '-2+3', '@SUM(A1)', '\tx', '\rx', '＝1+1', '＋1', '－1', '＠A', '=cmd|"/c calc"!A1'];
  const lines = (
    await written(
      ['=h'],
      formulas.map((f) => [f]),
    )
  )
    .slice(1)
    .split('\r\n');
  expect(lines).toEqual([
    "'=h",
    "'=1+1",
    "'+86 138",
    "'-2+3",
    "'@SUM(A1)",
    "'\tx",
    '"\'\rx"',
    "'＝1+1",
    "'＋1",
    "'－1",
    "'＠A",
    '"\'=cmd|""/c calc""!A1"',
    '',
  ]);
});

test('numbers keep their sign, because they are numbers and not text', async () => {
  expect(await written(['a', 'b', 'c', 'd', 'e'], [[-5, { decimal: '-0.50' }, '-5', 0, '']])).toBe(
    "\ufeffa,b,c,d,e\r\n-5,-0.50,'-5,0,\r\n",
  );
});
