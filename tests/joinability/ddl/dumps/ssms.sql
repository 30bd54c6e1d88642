USE [Shop]
GO
/****** Object:  Table [dbo].[Customers]    Script Date: 5/1/2024 12:00:00 PM ******/
SET ANSI_NULLS ON
GO
SET QUOTED_IDENTIFIER ON
GO
CREATE TABLE [dbo].[Customers](
	[CustomerID] [int] IDENTITY(1,1) NOT FOR REPLICATION NOT NULL,
	[Email] [nvarchar](80) COLLATE Latin1_General_CI_AS NULL,
	[Note] [nvarchar](max) NULL,
	[Place] [geography] NULL,
	[Since] [datetime2](7) NOT NULL,
 CONSTRAINT [PK_Customers] PRIMARY KEY CLUSTERED 
(
	[CustomerID] ASC
)WITH (PAD_INDEX = OFF, STATISTICS_NORECOMPUTE = OFF, IGNORE_DUP_KEY = OFF, ALLOW_ROW_LOCKS = ON, OPTIMIZE_FOR_SEQUENTIAL_KEY = OFF) ON [PRIMARY]
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
GO
/****** Object:  Table [dbo].[Orders]    Script Date: 5/1/2024 12:00:00 PM ******/
SET ANSI_NULLS ON
GO
CREATE TABLE [dbo].[Orders](
	[OrderID] [bigint] NOT NULL,
	[CustomerID] [int] NOT NULL,
	[Net] [decimal](10, 2) NULL,
	[Total]  AS ([Net]*(1.2)) PERSISTED,
	[RowGuid] [uniqueidentifier] ROWGUIDCOL  NOT NULL,
 CONSTRAINT [PK_Orders] PRIMARY KEY CLUSTERED ([OrderID] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY],
 CONSTRAINT [UQ_Orders] UNIQUE NONCLUSTERED ([RowGuid] ASC)
) ON [PRIMARY]
GO
CREATE TABLE [dbo].[Order Items](
	[OrderID] [bigint] NOT NULL,
	[Position] [smallint] NOT NULL,
	[Label] [varchar](200) NULL,
PRIMARY KEY CLUSTERED 
(
	[OrderID] ASC,
	[Position] ASC
) ON [PRIMARY]
)
go
INSERT [dbo].[Customers] ([CustomerID], [Email]) VALUES (1, N'o''neil; CREATE TABLE evil (a INT);')
GO
ALTER TABLE [dbo].[Orders] ADD  CONSTRAINT [DF_Orders_RowGuid]  DEFAULT (newid()) FOR [RowGuid]
GO
ALTER TABLE [dbo].[Orders]  WITH CHECK ADD  CONSTRAINT [FK_Orders_Customers] FOREIGN KEY([CustomerID])
REFERENCES [dbo].[Customers] ([CustomerID])
ON DELETE CASCADE
GO
ALTER TABLE [dbo].[Orders] CHECK CONSTRAINT [FK_Orders_Customers]
GO
ALTER TABLE [dbo].[Order Items]  WITH NOCHECK ADD  CONSTRAINT [FK_Items] FOREIGN KEY([OrderID])
REFERENCES [dbo].[Orders] ([OrderID])
NOT FOR REPLICATION 
GO
/****** Object:  StoredProcedure [dbo].[Report]    Script Date: 5/1/2024 12:00:00 PM ******/
CREATE PROCEDURE [dbo].[Report] AS
BEGIN
  CREATE TABLE #totals (id int, total money);
  SELECT * FROM #totals;
END
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'number on the card; the shop''s own' , @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'TABLE',@level1name=N'Customers', @level2type=N'COLUMN',@level2name=N'CustomerID'
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'who buys in the shop' , @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'TABLE',@level1name=N'Customers'
GO
EXECUTE sp_addextendedproperty N'MS_Description', N'lines of orders', N'SCHEMA', N'dbo', N'TABLE', N'Order Items'
GO
EXEC sys.sp_addextendedproperty @name=N'MS_DiagramPaneCount', @value=1 , @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'VIEW',@level1name=N'Sales'
GO
USE [master]
GO
ALTER DATABASE [Shop] SET  READ_WRITE 
GO
