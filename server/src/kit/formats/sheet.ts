import { fill, type Text } from '@farlink/contract/kit/text.ts';

export interface SheetRow {
  /** Line number as in a spreadsheet, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The file is damaged or not a valid sheet. */
export class NotASheet extends Error {}

/** The file exceeds a limit of the reader. */
export class SheetTooLarge extends NotASheet {
  readonly text: Text;
  constructor(text: Text) {
    super(text[1]);
    this.text = text;
  }
}

/** Excel's limit of characters per cell, and limits well above any import. */
export const sheetLimits = { cell: 32_767, row: 1024 * 1024, rows: 200_000, columns: 256 } as const;

export const tooLarge = {
  cell: () => new SheetTooLarge(fill(['单元格不能超过{0}个字符', 'A cell cannot exceed {0} characters'], sheetLimits.cell)),
  row: (line: number) => new SheetTooLarge(fill(['第{0}行过长', 'Line {0} is too long'], line)),
  rows: () => new SheetTooLarge(fill(['文件超过{0}行', 'The file has more than {0} lines'], sheetLimits.rows)),
  unpacked: () => new SheetTooLarge(['文件解压后过大', 'The file is too large after decompression']),
};
