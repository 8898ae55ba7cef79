import { ApiProperty } from '@nestjs/swagger';
import { API_PREFIX } from '../http/routes.js';

/** The path of an attachment's file. */
export const photoUrl = (id: number): string => `${API_PREFIX}/attachments/${id}`;

/** The same in SQL: null where there is none. */
export const photoUrlBy = (id: string): string => `'${API_PREFIX}/attachments/' || ${id}`;

export const photoUrlOf = ({ photo_id }: { photo_id: number | null }): string | null =>
  photo_id === null ? null : photoUrl(photo_id);

/** The photo that stands for a thing. */
export const PhotoAnswer = (example: string | null = null): PropertyDecorator =>
  ApiProperty({
    type: String,
    nullable: true,
    example,
    description:
      'Path of its cover: the photo that was made that, else the first one, null where there is none. With `?size=320` a thumbnail.',
  });
