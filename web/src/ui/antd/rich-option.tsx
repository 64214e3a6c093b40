import './rich-option.css';

/** An option in two lines: a title with an amount at its right, and details below. */
export interface RichText {
  readonly title: string;
  readonly amount: string;
  readonly detail: string;
}

/** The title is cut, the amount never. */
export const RichOption = ({ title, amount, detail }: RichText) => (
  <span className="rich-option">
    <span className="rich-line">
      <span className="clip">{title}</span>
      {amount !== '' && <b>{amount}</b>}
    </span>
    {detail !== '' && <small className="clip">{detail}</small>}
  </span>
);

/** The chosen option, in one line. */
export const RichLabel = ({ title, amount }: RichText) => (
  <span className="rich-line">
    <span className="clip">{title}</span>
    {amount !== '' && <b>{amount}</b>}
  </span>
);
