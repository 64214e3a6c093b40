import { parse, walk } from 'css-tree';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCss } from './check-css.ts';
import { PackageFault } from './package-fault.ts';

const hrefOf = (name: string) => (name === 'images/a.png' ? '../img/a.png' : undefined);
const check = (css: string) => checkCss('style.css', css, hrefOf);
const faultOf = (css: string): string => {
  try {
    return `accepted: ${check(css)}`;
  } catch (error) {
    if (error instanceof PackageFault) return error.message;
    throw error;
  }
};

describe('the style sheet of a template package', () => {
  it('is serialized from the parsed tree, with the addresses of its images', () => {
    expect(check('/* a */ .hero { background: #fff url("images/a.png") center/cover; color: var(--ink) }')).toBe(
      '.hero{background:#fff url(../img/a.png)center/cover;color:var(--ink)}',
    );
    expect(check('@media (min-width: 40rem) { .offer:nth-child(2n+1) > p::before { content: "→"; margin: 0 auto } }')).toContain('@media');
    expect(check('a{color:red')).toBe('a{color:red}');
    expect(check(':root { --primary: #123456; --gap: calc(1rem + 2px) } .block { padding: var(--gap) }')).toContain('--primary:');
  });

  it('with a bracket that closes nothing is refused, also after another style sheet', () => {
    // With this input after that one, the parser alone never ends.
    check('b a{}'.repeat(60));
    expect(faultOf('calc()}!importantsrc(calc(;')).toContain('not balanced');
    expect(faultOf('a{}\n}')).toContain('line 2');
    expect(faultOf('a{color:rgb(1]}')).toContain('not balanced');
  });

  it.each([
    ['a{color:red}\n@import url(https://evil.example/a.css);', 'line 2: @import'],
    ['@import "a.css";', '@import'],
    ['@charset "utf-8";', '@charset'],
    ['@font-face{font-family:x;src:url(https://evil.example/x)}', '@font-face'],
    ['@namespace svg url(http://www.w3.org/2000/svg);', '@namespace'],
    ['@keyframes x{from{color:red}}', '@keyframes'],
    ['@layer a{a{color:red}}', '@layer'],
    ['a{background:url(https://evil.example/a.png)}', 'url('],
    ['a{background:url(//evil.example/a.png)}', 'url('],
    ['a{background:url(data:image/png;base64,AA)}', 'url('],
    ['a{background:url("javascript:alert(1)")}', 'url('],
    ['a{background:url(images/../../b.png)}', 'url('],
    ['a{background:\\75rl(https://evil.example)}', 'error'],
    ['a{background:image-set("https://evil.example/a.png" 1x)}', 'image-set()'],
    ['a{background:src("https://evil.example/a.png")}', 'src()'],
    ['a{background:-webkit-image-set(url(https://evil.example) 1x)}', 'not allowed'],
    ['a{--x:url(https://evil.example/a.png)}', 'url('],
    ['a{--x:{a:b}}', 'error'],
    ['.login{position:fixed}', 'position'],
    ['.login{position:absolute;top:0}', 'position'],
    ['.login{POSITION:sticky}', 'position'],
    ['.a{z-index:99999}', 'z-index'],
    ['.a{inset:0}', 'inset'],
    ['.a{transform:translateY(-100vh)}', 'transform'],
    ['.a{translate:0 -100px}', 'translate'],
    ['.a{float:left}', 'float'],
    ['.a{margin-top:-200px}', 'margin'],
    ['.a{margin:calc(0px - 200px)}', 'margin'],
    ['.login{display:none}', 'display'],
    ['.a{pointer-events:none}', 'pointer-events'],
    ['.a{clip-path:inset(0)}', 'clip-path'],
    ['input[value^="a"]{background:url(images/a.png)}', 'attribute selectors'],
    ['input[name=password]{color:red}', 'attribute selectors'],
    ['form:has(input){color:red}', ':has'],
    ['a:visited{color:red}', ':visited'],
    ['::-webkit-scrollbar{width:0}', '::-webkit-scrollbar'],
    ['a{width:expression(alert(1))}', 'expression()'],
    ['a{behavior:url(x.htc)}', 'behavior'],
    ['a{-moz-binding:url(x.xml#x)}', '-moz-binding'],
    ['a{filter:progid:DXImageTransform.Microsoft.Alpha()}', 'error'],
    ['a{content:url(images/a.png)}', 'content'],
    ['a::before{content:attr(value)}', 'content'],
    ['a{color:attr(data-x)}', 'attr()'],
    ['a{*zoom:1}', 'zoom'],
    ['a{cursor:url(images/a.png),auto}', 'cursor'],
    ['a{color:red}}', 'not balanced'],
    ['<style>a{color:red}</style>', ''],
    ['a{animation:x 1s}', 'animation'],
    ['#login{color:red}', ''],
  ])('is refused: %s', (css, reason) => {
    const fault = faultOf(css);
    expect(fault).not.toMatch(/^accepted/);
    expect(fault).toContain(reason);
    expect(fault).toMatch(/^style\.css(, line \d+)?: /);
  });

  it('loads only images of the package and has no attribute selectors, for any input', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        '.b',
        '{',
        '}',
        ':',
        ';',
        '(',
        ')',
        '[',
        ']',
        '"',
        "'",
        '\\',
        '/*',
        '*/',
        '@import ',
        '@media ',
        'screen',
        'url(',
        'images/a.png',
      ],
      ...[
        'https://evil.example',
        'color',
        'background',
        'red',
        '--x',
        'var(',
        'calc(',
        '1px',
        '-1px',
        ',',
        '!important',
        '<!--',
        '-->',
        '\n',
      ],
      ...[
        'position',
        'fixed',
        'content',
        'input',
        'value',
        '^=',
        '\\75 rl(',
        'src(',
        '&',
        '>',
        '~',
        '::before',
        ':hover',
        '#fff',
        '%',
        '\0',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        let out: string;
        try {
          out = check(pieces.join(''));
        } catch (error) {
          if (error instanceof PackageFault) return;
          throw error;
        }
        walk(parse(out, { parseCustomProperty: true }), (node) => {
          if (node.type === 'Url') expect(node.value).toBe('../img/a.png');
          expect(node.type).not.toMatch(/^(AttributeSelector|Raw|IdSelector)$/);
          if (node.type === 'Atrule') expect(node.name).toMatch(/^(media|supports)$/i);
          if (node.type === 'Declaration') expect(node.property).not.toMatch(/position/i);
        });
      }),
      { numRuns: 3000 },
    );
  });
});
