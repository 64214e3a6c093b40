import type { Text } from '@farlink/contract/kit/text.ts';

/** Why a template package is refused, with the position of the fault. */
export class PackageFault extends Error {
  readonly text: Text;

  constructor(file: string, line: number | undefined, [zh, en]: Text) {
    const [zhPath, enPath] = line === undefined ? [file, file] : [`${file} 第${line}行`, `${file}, line ${line}`];
    super(`${enPath}: ${en}`);
    this.text = [`${zhPath}：${zh}`, `${enPath}: ${en}`];
  }
}

/** Address of an image of the package by its name in the archive. Undefined: the package has no such image. */
export type HrefOf = (name: string) => string | undefined;
