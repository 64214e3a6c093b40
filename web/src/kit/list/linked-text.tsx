import { Link } from 'react-router';

interface LinkedTextProps {
  readonly text: string;
  readonly href: string | undefined;
}

/** A name that leads to its object, where there is a page to open. */
export const LinkedText = ({ text, href }: LinkedTextProps) =>
  href === undefined ? (
    text
  ) : (
    <Link className="act" to={href}>
      {text}
    </Link>
  );
