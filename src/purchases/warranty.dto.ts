import { ApiProperty } from '@nestjs/swagger';
import { DateAnswer } from '../contract/answers.js';

export class WarrantyDto {
  @ApiProperty({ enum: ['active', 'expired', 'none'], example: 'expired', description: 'As of today.' })
  status: 'active' | 'expired' | 'none';

  @DateAnswer({ nullable: true, example: '2022-01-11' })
  end_date: string | null;
}

/** The last day of a warranty is covered. */
export function warrantyStatus(endDate: string | null, today: string): WarrantyDto['status'] {
  if (endDate === null) return 'none';
  return endDate >= today ? 'active' : 'expired';
}
